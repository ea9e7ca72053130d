/** The users of a service as items of a check or a migration. Neither passwords nor their hashes are read or written here. */

import { type StoredItems, type StoredSchema, storedRows } from '../collections/stored-items';
import type { Database } from '../database/database';

/** Lists the properties that a data migration may not set. */
const forbidden = (made: object, username: string | null | undefined) => [
  ...('password' in made ? [{ path: '/password', message: 'may not be set by a migration' }] : []),
  ...('username' in made && made.username !== username
    ? [{ path: '/username', message: 'may not be changed by a migration' }]
    : []),
];

/**
 * The users of a service, in the order of their ids. What a data migration makes of a user keeps the id and the user name: a name
 * that it leaves out is filled in, and another name is a problem, and so is a password.
 */
export const storedUsers = (
  db: Database,
  service: string,
  { codec, hasId }: StoredSchema,
): StoredItems => {
  const where = { service };
  const rows = storedRows(db, { table: 'users', where, columns: ['username'], codec, hasId });
  return {
    service,
    name: 'users',
    ...rows,
    convert(old, made) {
      const { document, username } = old;
      const problems = forbidden(made, username);
      if (problems.length > 0) return { document, problems };
      const isNamed = 'username' in made || typeof username !== 'string';
      return rows.convert(old, isNamed ? made : { username, ...made });
    },
  };
};
