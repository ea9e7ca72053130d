/** Writes several files, all or none. */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes the files, and the folders that they need. Where one cannot be written, all are as they were.
 * @param files absolute path to text
 * @throws Error of the file system
 */
export const writeTogether = (files: ReadonlyMap<string, string>): void => {
  const undo: (() => void)[] = [];
  try {
    for (const [file, text] of files) {
      const folder = mkdirSync(dirname(file), { recursive: true });
      if (folder !== undefined) undo.push(() => rmSync(folder, { recursive: true }));
      const before = existsSync(file) ? readFileSync(file) : undefined;
      undo.push(() => {
        if (before === undefined) rmSync(file, { force: true });
        else writeFileSync(file, before);
      });
      writeFileSync(file, text);
    }
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }
};
