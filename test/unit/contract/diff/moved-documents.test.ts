/** A document that moves to a newer OpenAPI without another meaning: the comparison has nothing to tell. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { rootFolder } from '../../../../scripts/root-folder';
import { diffDocuments } from '../../../../src/contract';
import { upgradeText } from '../../../../src/document/upgrade/upgrade';
import {
  newestVersion,
  openApi31Version,
  type Version,
} from '../../../../src/document/versions/versions';
import { parseApiDocument } from '../../../../src/engine';
import { casesOf, rowsOf } from '../../../support/text-cases';

const files = [
  'specs/petstore.yaml',
  'specs/ads.yaml',
  'test/third-service/specs/library.yaml',
  'test/end-to-end/contract-test/shop.yaml',
  'test/end-to-end/contract-test/odd.yaml',
];

describe.each(files)('%s', (file) => {
  const text = readFileSync(join(rootFolder, file), 'utf8');
  const moved = (to: Version) => parseApiDocument('a.yaml', upgradeText('a.yaml', text, to).text);
  const old = parseApiDocument('a.yaml', text);

  test('there is something to compare', () => {
    expect(old.operations.length).toBeGreaterThan(0);
  });

  test.each([openApi31Version, newestVersion])('W46 moved up to $name and back', (version) => {
    const now = moved(version);
    expect(now.definition.openapi).toBe(version.newest);
    // What references stand for is then named after its component.
    const isOther = ({ rule }: { readonly rule: string }) =>
      version !== newestVersion || rule !== 'xml-name-changed';
    expect(diffDocuments(old, now).filter(isOther)).toEqual([]);
    expect(diffDocuments(now, old).filter(isOther)).toEqual([]);
  });
});

/** A document whose one operation takes and gives values of the schema. */
const around = (openapi: string, mediaType: string, schema: string) =>
  parseApiDocument(
    'a.yaml',
    `
openapi: ${openapi}
info: {title: A, version: '1'}
paths:
  /a:
    post:
      requestBody: {content: {${mediaType}: {schema: ${schema}}}}
      responses: {'200': {description: A, content: {${mediaType}: {schema: ${schema}}}}}
`,
  );

describe.each(casesOf(join(__dirname, 'moved-bytes.cases.txt')))('%s', (title, lines) => {
  test.each(rowsOf(lines))('%s', (_name, mediaType = '', before = '', after = '') => {
    const old = around('3.0.3', mediaType, before);
    const severities = ['3.1.1', '3.2.0'].flatMap((version) => {
      const now = around(version, mediaType, after);
      return [diffDocuments(old, now), diffDocuments(now, old)].map((changes) =>
        changes.map(({ rule, severity }) => `${severity} ${rule}`),
      );
    });
    const isChange = severities.map((one) => one.some((text) => !text.startsWith('compatible')));
    expect([severities, isChange]).toEqual([
      title === 'no change' ? [[], [], [], []] : severities,
      Array.from({ length: 4 }, () => title !== 'no change'),
    ]);
  });
});
