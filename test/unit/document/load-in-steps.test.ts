/** A large document is loaded in steps, between which other work is done, and means the same as when it is loaded at once. */

import { writeFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { loadApiDocument, parseApiDocument } from '../../../src/engine';
import { largeDocument } from '../../support/large-document';
import { useTemporaryFolder } from '../../support/temporary-folder';

const fileAt = useTemporaryFolder();

test.each([
  ['json', JSON.stringify],
  ['yaml', (definition: object) => stringify(definition)],
] as const)('%s', async (ending, write) => {
  const file = fileAt(`large.${ending}`);
  const text = write(largeDocument(50, 50));
  await writeFile(file, text);
  let turns = 0;
  let isLoaded = false;
  const turn = (): void => {
    turns += 1;
    if (!isLoaded) setImmediate(turn);
  };
  setImmediate(turn);
  const document = await loadApiDocument(file);
  isLoaded = true;
  expect(turns).toBeGreaterThan(5);
  const { definition, diagnostics, operations } = parseApiDocument(file, text);
  expect(document.definition).toEqual(definition);
  expect(document.diagnostics).toEqual(diagnostics);
  expect(document.operations.map(({ pointer }) => pointer)).toEqual(
    operations.map(({ pointer }) => pointer),
  );
});
