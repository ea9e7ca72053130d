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
