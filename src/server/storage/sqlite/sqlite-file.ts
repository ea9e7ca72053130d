/** Watches that a SQLite file stays where it was opened: what is written to one that was moved away or deleted is lost. */

import { type Stats, statSync } from 'node:fs';

/**
 * A function that throws where the file at the path is not the one that was there at its first call.
 *
 * Another file is not opened in its stead, since the log of the first may still lie beside it, and SQLite would apply it to the
 * wrong one (sqlite.org/howtocorrupt.html section 1.4).
 */
export const sameFile = (path: string): (() => void) => {
  let opened: Stats | undefined;
  return () => {
    const now = statSync(path, { throwIfNoEntry: false });
    opened ??= now;
    if (now !== undefined && now.ino === opened?.ino && now.dev === opened.dev) return;
    const message = `The file ${path} was moved, deleted or replaced while it was open`;
    throw Object.assign(new Error(message), { code: 'FILE_MOVED' });
  };
};
