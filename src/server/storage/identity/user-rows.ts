/** Adds rows that belong to a user and are deleted with the user. */

import type { Database } from '../database/database';
import { param, type Statement, type Values } from '../sql/statement';

/** Adds one row of a user's; false where the user was deleted. */
export type AddUserRow = <Row extends Values>(
  userKey: string,
  insert: Statement<Row, never>,
  row: Row,
) => Promise<boolean>;

/** Makes the function that adds rows to the users of a service. */
export const userRows = ({ knex, prepare, transaction }: Database, service: string): AddUserRow => {
  const lockUser = prepare<{ key: string }, { key: unknown }>(
    knex('users')
      .where({ service, key: param('key') })
      .forUpdate()
      .select('key'),
  );
  return (userKey, insert, row) =>
    // The user stays locked, so that no row outlives a user who is deleted meanwhile.
    transaction(async (trx) => {
      const [user] = await trx.all(lockUser, { key: userKey });
      if (user === undefined) return false;
      await trx.run(insert, row);
      return true;
    });
};
