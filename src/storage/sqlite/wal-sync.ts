/** Syncs the write-ahead log of a SQLite file, off the event loop. */

import { type FileHandle, open } from 'node:fs/promises';

/**
 * With `synchronous = FULL` SQLite syncs its log at each commit and blocks the thread meanwhile; with NORMAL it does all but
 * that (sqlite.org/pragma.html#pragma_synchronous, sqlite.org/wal.html section 3). Syncing the log here, before the commit is
 * acknowledged, keeps the same promise.
 *
 * @param path - the database's file; its log exists once something was written
 * @param repair - writes the whole log into the database and syncs that. Called where syncing the log failed: the kernel may
 *   have dropped what it could not write, and later commits would be lost with it
 */
export const walSync = (path: string, repair: () => void) => {
  let log: FileHandle | undefined;
  let isBroken = false;

  return {
    /** Resolves when everything that was written to the log before will survive the loss of power. */
    async sync(): Promise<void> {
      if (isBroken) repair();
      isBroken = true;
      log ??= await open(`${path}-wal`, 'r');
      await log.datasync();
      isBroken = false;
    },
    /** Forgets the log, which may be another file once the database is opened again. */
    reopen(): void {
      // Its outcome does not matter any more.
      log?.close().catch(() => undefined);
      log = undefined;
    },
    async close(): Promise<void> {
      await log?.close();
      log = undefined;
    },
  };
};
