/** Documents of OpenAPI as ones of a newer version: what is edited, and that nothing else is. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { upgradeText } from '../../../../src/document/upgrade/upgrade';
import { newestVersion as to32 } from '../../../../src/document/versions/versions';
import { casesOf, readText, rowsOf, tableOf } from '../../../support/text-cases';

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
    expect(upgradeText('a.yaml', text)).toEqual({ text, openapi: '3.1.2', dropped: [] });
    // None of it is spelled otherwise in 3.2.
    const newest = documentOf('3.2.0', readText(want));
    expect(upgradeText('a.yaml', documentOf('3.0.3', readText(given)), to32).text).toBe(newest);
    expect(upgradeText('a.yaml', text, to32).text).toBe(newest);
    expect(upgradeText('a.yaml', newest)).toEqual({ text: newest, openapi: '3.2.0', dropped: [] });
  });
});

describe.each(['3.0.3', '3.1.0'])('W46 from %s to 3.2', (from) => {
  const dropped = ['$self', 'name', 'dataValue', 'allowReserved', 'allowReserved'];

  test.each(tableOf(join(__dirname, 'upgrade-3.2.cases.txt'), 'XML Objects'))(
    '%s',
    (_title, given = '', want = '') => {
      const { text } = upgradeText('a.yaml', documentOf(from, readText(given)), to32);
      expect(text).toBe(documentOf('3.2.0', readText(want)));
    },
  );

  test('what the old version ignores is dropped', () => {
    const text = (version: string, isNew: boolean) => {
      const ignored = (field: string) => (isNew ? '' : field);
      return `openapi: ${version}
info: { title: A, version: '1' }
${ignored('$self: https://a.test/\n')}servers: [{ url: /a${ignored(', name: a')} }]
paths:
  /{a}:
    parameters:
      - { name: a, in: path, required: true, schema: {}${ignored(', allowReserved: true')} }
      - { name: b, in: cookie, schema: {}${ignored(', allowReserved: false')} }
      - { name: c, in: query, schema: {}, allowReserved: true, examples: { a: { value: 1${ignored(', dataValue: 1')} } } }
`;
    };
    const upgraded = upgradeText('a.yaml', text(from, false), to32);
    expect(upgraded.text).toBe(text('3.2.0', true));
    expect(upgraded.dropped.map(({ name }) => name).sort()).toEqual([...dropped].sort());
    expect(upgradeText('a.yaml', text('3.0.3', false)).text).toBe(text('3.1.2', false));
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

test('B06 V41 a body that 3.0 ignores is dropped, and one that 3.1 reads is kept', () => {
  const text = (version: string, ofGet: string) =>
    `openapi: ${version}\ninfo: {title: A, version: '1'}\npaths: {/a: {get: {operationId: a${ofGet}}, post: {requestBody: {content: {}}}}}\n`;
  const body = ', requestBody: {content: {}}';
  const { text: upgraded, dropped } = upgradeText('a.yaml', text('3.0.4', body));
  expect(upgraded).toBe(text('3.1.2', ''));
  expect(dropped).toEqual([{ name: 'requestBody', line: 3, column: 36 }]);
  expect(upgradeText('a.yaml', text('3.1.2', body), to32).text).toBe(text('3.2.0', body));
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
