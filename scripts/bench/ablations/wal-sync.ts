/** Without syncing off the event loop: the process waits for the disk at every commit. Nothing is repaired after a failure. */

import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { countRun, moduleOf } from './product';

moduleOf<typeof import('../../../src/storage/sqlite/wal-sync')>('storage/sqlite/wal-sync').walSync =
  (path) => {
    let log: number | undefined;
    const close = (): void => {
      if (log !== undefined) closeSync(log);
      log = undefined;
    };
    return {
      async sync() {
        countRun();
        log ??= openSync(`${path}-wal`, 'r');
        fdatasyncSync(log);
      },
      reopen: close,
      async close() {
        close();
      },
    };
  };
