/** Syncs the write-ahead log of a SQLite file, off the event loop unless nobody waits for that. */

import { fdatasyncSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** The log of one database. */
export interface WalSync {
  /** Resolves when everything that was written to the log before will survive the loss of power. */
  sync(): Promise<void>;
  /** To be called where the database was closed and is opened again: the log may be another file then. */
  reopen(): void;
  close(): Promise<void>;
}

/** When a sync is waited for where it is asked for. */
export interface InPlace {
  /** Whether nobody else would have to wait meanwhile. */
  isForOneAlone(): boolean;
  /** What the sync before may have taken. */
  readonly mostMilliseconds: number;
}

/**
 * To hand a sync to a thread and to be told of its end takes 60 us, which is much for one caller alone on a disk that syncs in 300
 * with 1,000 now and then, and little where others are served meanwhile or where the disk is slow.
 */
export const inPlaceFor = (isForOneAlone: () => boolean): InPlace => ({
  isForOneAlone,
  mostMilliseconds: 2,
});

/**
 * With `synchronous = FULL` SQLite syncs its log at each commit and blocks the thread meanwhile; with NORMAL it does all but
 * that (sqlite.org/pragma.html#pragma_synchronous, sqlite.org/wal.html section 3). Syncing the log here, before anybody is
 * told of the commit, keeps the same promise.
 *
 * @param path - the database's file; its log exists once something was written
 * @param repair - writes the whole log into the database and syncs that. Called where syncing the log failed: the kernel may
 *   have dropped what it could not write, and later commits would be lost with it
 */
export const walSync = (
  path: string,
  repair: () => void,
  { isForOneAlone, mostMilliseconds }: InPlace,
): WalSync => {
  let log: FileHandle | undefined;
  let isBroken = false;
  let took = Number.POSITIVE_INFINITY;

  return {
    async sync() {
      if (isBroken) repair();
      isBroken = true;
      log ??= await open(`${path}-wal`, 'r');
      const since = performance.now();
      if (took <= mostMilliseconds && isForOneAlone()) fdatasyncSync(log.fd);
      else await log.datasync();
      took = performance.now() - since;
      isBroken = false;
    },
    reopen() {
      // Nobody waits for the old one.
      log?.close().catch(() => undefined);
      log = undefined;
    },
    async close() {
      await log?.close();
      log = undefined;
    },
  };
};
