/** The statements of a counter of ids, and of the ids that it never assigns. */

import type { Database } from '../database/database';
import { param } from '../sql/statement';

/** The drivers read integers as doubles or as text; only text keeps the digits above 2^53. */
interface CounterRow {
  readonly next: string;
  readonly retired: string | null;
}

/**
 * Composes the statements.
 *
 * @param kind - the name of the counter
 */
export const counterStatements = (
  { knex, prepare }: Pick<Database, 'knex' | 'prepare'>,
  kind: string,
) => {
  const asText = (column: string) => knex.raw('cast(?? as text) as ??', [column, column]);
  const counter = () => knex('id_counters').where({ name: kind });

  const startCounter = prepare<Record<string, never>, never>(
    knex('id_counters').insert({ name: kind, next: '1' }).onConflict('name').ignore(),
  );
  const readCounter = prepare<Record<string, never>, { next: string }>(
    counter().select(asText('next')),
  );
  const columns = [asText('next'), asText('retired')];
  const lock = prepare<Record<string, never>, CounterRow>(counter().forUpdate().select(columns));
  // A statement that changes the row locks it, too. No retired id is 0: the counter starts behind that.
  const advance = prepare<{ next: string; retired: string }, never>(
    counter()
      .where({ next: param('next') })
      .whereRaw('coalesce(??, 0) = cast(? as bigint)', ['retired', param('retired')])
      .update({ next: knex.raw('?? + 1', ['next']) }),
  );
  const setCounter = prepare<{ next: string; retired: string | null }, never>(
    counter().update({ next: param('next'), retired: param('retired') }),
  );
  const findRetired = prepare<{ from: string }, { id: string | null }>(
    knex('retired_ids')
      .where({ kind })
      .where('id', '>=', param('from'))
      .select(knex.raw('cast(min(??) as text) as ??', ['id', 'id'])),
  );
  const addRetired = prepare<{ id: string }, never>(
    knex('retired_ids')
      .insert({ kind, id: param('id') })
      .onConflict()
      .ignore(),
  );
  return { startCounter, readCounter, lock, advance, setCounter, findRetired, addRetired };
};
