/** A document that moves to OpenAPI 3.1 without another meaning: the comparison has nothing to tell. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { rootFolder } from '../../../../scripts/root-folder';
import { diffDocuments } from '../../../../src/contract';
import { upgradeText } from '../../../../src/document/upgrade/upgrade';
import { parseApiDocument } from '../../../../src/engine';

const files = [
  'specs/petstore.yaml',
  'specs/ads.yaml',
  'test/third-service/specs/library.yaml',
  'test/end-to-end/contract-test/shop.yaml',
  'test/end-to-end/contract-test/odd.yaml',
];

describe.each(files)('%s', (file) => {
  const text = readFileSync(join(rootFolder, file), 'utf8');
  const documents = [
    parseApiDocument('a.yaml', text),
    parseApiDocument('a.yaml', upgradeText('old.yaml', text).text),
  ] as const;
  const [old, now] = documents;

  test('there is something to compare', () => {
    expect(old.operations.length).toBeGreaterThan(0);
  });

  test('moved up and back', () => {
    expect(diffDocuments(old, now)).toEqual([]);
    expect(diffDocuments(now, old)).toEqual([]);
  });
});
