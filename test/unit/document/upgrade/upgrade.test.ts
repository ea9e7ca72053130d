/** Documents of OpenAPI 3.0 as ones of 3.1: what is edited, and that nothing else is. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { upgradeText } from '../../../../src/document/upgrade/upgrade';
import { casesOf, readText, rowsOf } from '../../../support/text-cases';

const documentOf = (version: string, schema: string): string =>
  `# A document
openapi: '${version}' # its version
info: { title: A, version: '1' }
paths: {}
components:
  schemas:
    Given: ${schema}
    Other: { type: string }   # as it was
`;

describe.each(casesOf(join(__dirname, 'upgrade.cases.txt')))('%s', (_group, lines) => {
  test.each(rowsOf(lines))('%s', (_title, given = '', want = '') => {
    const { text } = upgradeText('a.yaml', documentOf('3.0.3', readText(given)));
    expect(text).toBe(documentOf('3.1.2', readText(want)));
    expect(upgradeText('a.yaml', text)).toEqual({ text, dropped: [] });
  });
});

test('what is dropped is told with its place', () => {
  const schema = "{ $ref: '#/components/schemas/Other', title: a }";
  const { text, dropped } = upgradeText('a.yaml', `${documentOf('3.0.0', schema)}webhooks: {}\n`);
  expect(text).toBe(documentOf('3.1.2', "{ $ref: '#/components/schemas/Other' }"));
  expect(dropped).toEqual([
    { name: 'webhooks', line: 9, column: 1 },
    { name: 'title', line: 7, column: 50 },
  ]);
});

test('other references keep what describes them', () => {
  const text = (version: string, more: string) =>
    `openapi: ${version}\ninfo: {title: A, version: '1'}\npaths: {/a: {parameters: [{$ref: '#/x-a', description: b${more}}]}}\n`;
  expect(upgradeText('a.yaml', text('3.0.3', ', required: true')).text).toBe(text('3.1.2', ''));
});

test('an anchor is edited once', () => {
  const { text } = upgradeText(
    'a.yaml',
    documentOf('3.0.3', '{ properties: { a: &a { type: string, nullable: true }, b: *a } }'),
  );
  expect(text).toContain("{ a: &a { type: [string, 'null'] }, b: *a }");
});
