/** Keeps connections to the file that is at the database's path: what is written to one that was moved away is lost. */

import { type Stats, statSync } from 'node:fs';
import type { Knex } from 'knex';

/** The file at a path, as long as the database is open. */
export interface SqliteFile {
  /** Has the connections of a Knex refused where the file is gone: an empty one in its place would pass for the database. */
  guard(db: Knex): void;
  /** Takes note of the file that a connection was opened on. */
  opened(connection: object): void;
  /** Whether the connection's file is still at the path. */
  isInPlace(connection: object): boolean;
}

/** Opens connections of one Knex. */
interface Opener {
  acquireRawConnection(): Promise<unknown>;
}

/** Until the first connection is opened there need not be a file. */
export const sqliteFile = (path: string): SqliteFile => {
  const files = new WeakMap<object, Stats>();
  let wasThere = false;
  const find = (): Stats | undefined => statSync(path, { throwIfNoEntry: false });

  const requireFile = (): void => {
    if (!wasThere || find() !== undefined) return;
    throw Object.assign(new Error(`There is no file ${path} any more`), {
      code: 'SQLITE_CANTOPEN',
    });
  };

  return {
    guard(db) {
      const client: Opener = db.client;
      const open = client.acquireRawConnection.bind(client);
      client.acquireRawConnection = async () => {
        requireFile();
        return open();
      };
    },

    opened(connection) {
      const file = find();
      if (file === undefined) return;
      wasThere = true;
      files.set(connection, file);
    },

    isInPlace(connection) {
      const before = files.get(connection);
      const now = find();
      return before !== undefined && before.ino === now?.ino && before.dev === now.dev;
    },
  };
};
