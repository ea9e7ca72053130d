/**
 * Ids of resources: an id that a client gives is used, a missing one is assigned from a counter, and none is used twice. Both keep the
 * counter's row locked until the commit, so that an id is either assigned or given. Given ids are stored for good, so that the counter
 * passes over them, also after their resources were deleted.
 */

import { randomInt } from 'node:crypto';
import type { Knex } from 'knex';
import type { Database, Runner, Transaction } from '../database/database';
import { param } from '../sql/statement';
import { type IdRow, lastId } from './item-pages';

/** The ids of resources that share one sequence. */
export interface Ids {
  /** Starts the counter; false where it is running already. Of several transactions that try, one succeeds. */
  start(trx: Transaction): Promise<boolean>;
  /** Tells whether the counter is running: it stays when all resources are deleted. */
  isRunning(runner: Runner): Promise<boolean>;
  /** Takes the next free id. */
  take(trx: Transaction): Promise<bigint>;
  /** Makes others that add wait for the commit. */
  lock(trx: Transaction): Promise<void>;
  /** Keeps the counter from ever assigning an id that a client gives. To be called before its resource is inserted. */
  give(trx: Transaction, id: bigint): Promise<void>;
}

type None = Record<string, never>;

/** Makes the ids that a service's resources of one table share. */
export const idsOf = ({ knex, prepare }: Database, service: string, table: string): Ids => {
  const kind = `${service}/${table}`;
  const counters = ['id_counters'];
  const counter = () => knex('id_counters').where({ name: kind });
  const newCounter = (retired: Knex.Value | null) =>
    knex('id_counters').insert({ name: kind, next: '1', retired }).onConflict('name');
  const givenIds = (name: string) =>
    knex(`retired_ids as ${name}`).where({ [`${name}.kind`]: kind });

  const start = prepare<None, never>(newCounter(null).ignore(), counters);
  const find = prepare<None, { name: string }>(counter().select('name'), counters);
  const take = prepare<None, IdRow>(
    knex.raw('? returning cast(next - 1 as text) as ??', [
      counter()
        .whereRaw('(retired is null or next < retired)')
        .update({ next: knex.raw('next + 1') }),
      'id',
    ]),
    counters,
  );
  // Changes the row: at REPEATABLE READ, a transaction that waited for a lock alone would go on from what was there before.
  const lock = prepare<None, never>(
    newCounter(null).merge({ next: knex.ref('id_counters.next') }),
    counters,
  );
  // Behind those that follow one another.
  const pass = prepare<None, never>(
    counter()
      .whereExists(givenIds('given').whereRaw('given.id = next').select(knex.raw('1')))
      .update({
        next: givenIds('given')
          .whereRaw('given.id >= next')
          .where('given.id', '<', lastId)
          .whereNotExists(
            givenIds('following').whereRaw('following.id = given.id + 1').select(knex.raw('1')),
          )
          .orderByRaw('given.id limit 1')
          .select(knex.raw('given.id + 1')),
      }),
    counters,
  );
  const findRetired = prepare<None, never>(
    counter().update({
      retired: givenIds('given').whereRaw('given.id >= next').min('given.id'),
    }),
    counters,
  );
  const id = () => knex.raw('cast(? as bigint)', [param('id')]);
  const giveFrom = prepare<{ id: string; first: string | null }, never>(
    newCounter(param('first')).merge({
      retired: knex.raw(
        `case when ? >= id_counters.next and (id_counters.retired is null or ? < id_counters.retired)
          then ? else id_counters.retired end`,
        [id(), id(), id()],
      ),
    }),
    counters,
  );
  const addGiven = prepare<{ id: string }, never>(
    knex('retired_ids')
      .insert({ kind, id: param('id') })
      .onConflict()
      .ignore(),
    ['retired_ids'],
  );

  return {
    start: async (trx) => (await trx.run(start, {})) === 1,

    isRunning: async (runner) => (await runner.all(find, {})).length > 0,

    async take(trx) {
      while (true) {
        const [taken] = await trx.all(take, {});
        if (taken !== undefined) return BigInt(taken.id);
        // The counter has come to a given id, or has not been started.
        await trx.send(lock, {});
        await trx.send(pass, {});
        await trx.send(findRetired, {});
      }
    },

    lock: (trx) => trx.send(lock, {}),

    async give(trx, given) {
      const first = given < 1n ? null : given.toString();
      await trx.send(giveFrom, { id: given.toString(), first });
      await trx.send(addGiven, { id: given.toString() });
    },
  };
};

/** Gives the `id` of an item whose schema has an id of texts; undefined where it has none. */
export const textIdOf = (item: object): string | undefined =>
  'id' in item && typeof item.id === 'string' ? item.id : undefined;

/** Makes the item with this id in place of any other, which comes first in its text; the item as it is, where there is none. */
export const identified = <Item extends object>(
  item: Item,
  id: bigint | string | undefined,
): Item => (id === undefined ? item : Object.assign({ id }, item, { id }));

/** The key that this process made last. */
let last = 0n;

/** The keys of items without a number: no counter to lock. */
export const unnumberedIds: Ids = {
  start: async () => true,
  isRunning: async () => false,
  async take() {
    // 41 bits of milliseconds since 1970, so that keys ascend, and 22 random ones.
    const key = (BigInt(Date.now()) << 22n) | BigInt(randomInt(2 ** 22));
    last = key > last ? key : last + 1n;
    return last;
  },
  lock: async () => undefined,
  give: async () => undefined,
};
