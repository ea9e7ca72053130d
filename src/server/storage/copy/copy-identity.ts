/** Tells whether two open databases are one and the same, by whatever names they were opened. */

import { stat } from 'node:fs/promises';
import type { Knex } from 'knex';
import type { Database } from '../database/database';
import { isPostgres } from '../sql/is-postgres';

/** Undefined where the database is in memory. */
const fileOf = async (knex: Knex): Promise<string | undefined> => {
  const [main]: { file: string }[] = await knex.raw('pragma database_list');
  if (main === undefined || main.file === '') return undefined;
  const { dev, ino } = await stat(main.file, { bigint: true });
  return `${dev}/${ino}`;
};

const isSameFile = async (one: Knex, other: Knex): Promise<boolean> => {
  const file = await fileOf(one);
  return file !== undefined && file === (await fileOf(other));
};

/** All compatible servers have locks on rows, while they identify themselves in different ways, if at all. */
const isSeenLocked = (one: Knex, other: Knex): Promise<boolean> =>
  one.transaction(async (trx) => {
    await trx.raw('select id from migration_turn where id = 1 for update');
    const { rows } = await other.raw(
      'select id from migration_turn where id = 1 for update skip locked',
    );
    return rows.length === 0;
  });

/** Whether both are the same file, or the same tables of the same server. */
export const isSameDatabase = async (one: Database, other: Database): Promise<boolean> => {
  if (isPostgres(one.knex) !== isPostgres(other.knex)) return false;
  return isPostgres(one.knex)
    ? isSeenLocked(one.knex, other.knex)
    : isSameFile(one.knex, other.knex);
};
