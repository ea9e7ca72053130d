/** A service of the tests: `specs` and `handlers` below a folder of its own. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { foldersOf, staleFiles } from '../../scripts/generate/generated-files';

/** Gives the variables with which the program serves a folder. */
export const environmentOf = (folder: string) => ({
  SPECS_DIRECTORY: join(folder, 'specs'),
  HANDLERS_DIRECTORY: join(folder, 'handlers'),
});

/**
 * Tests that generated types are fresh, and handlers short.
 * @param files below the folder of handlers
 * @param most lines with a text that they may have together, less one
 */
export const testHandlers = (folder: string, files: readonly string[], most: number): void => {
  test('the types of its handlers are generated from its document', async () => {
    expect(await staleFiles(foldersOf(folder))).toEqual([]);
  });

  test('its handlers are short', () => {
    const lines = files.flatMap((file) =>
      readFileSync(join(folder, 'handlers', file), 'utf8').split('\n'),
    );
    expect(lines.filter((line) => line.trim() !== '').length).toBeLessThan(most);
  });
};
