/** Changes what SQLite's table of tags is like. */

import type { Knex } from 'knex';
import { remakeTable } from './remake-table';

/** What the table may be like. */
export interface TagTable {
  /** Whether tags refer to their pet and go with it, found by an index. */
  readonly refers: boolean;
  readonly options: 'without rowid' | '';
}

const reference = ', foreign key (service, pet_id) references pets (service, id) on delete cascade';

/** Makes the table anew with what was in it. */
export const remakeTags = async (db: Knex, { refers, options }: TagTable): Promise<void> => {
  await remakeTable(db, {
    name: 'pet_tags',
    columns: ['service', 'pet_id', 'name'],
    definition: `service text not null, pet_id bigint not null, name text not null,
      primary key (service, name, pet_id)${refers ? reference : ''}`,
    options,
    key: ['service', 'name', 'pet_id'],
  });
  if (refers) {
    await db.schema.alterTable('pet_tags', (table) => table.index(['service', 'pet_id']));
  }
};
