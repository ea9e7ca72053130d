/** The turns of jobs: one process at a time has the lease of a job, and of one that dies the lease ends. */

import type { Database } from '../database/database';
import { param } from '../sql/statement';

/** Milliseconds that a lease is good for, unless it is renewed. */
export const leaseMilliseconds = 45_000;

/** Makes the leases of the jobs of a service, for one holder. Times are milliseconds since 1970. */
export const jobLeases = (
  { knex, prepare, all, transaction }: Database,
  service: string,
  holder: string,
) => {
  const tables = ['jobs'];
  const row = knex('jobs').where({ service, name: param('name') });
  const add = prepare<{ name: string; now: number }, never>(
    knex('jobs')
      .insert({ service, name: param('name'), began_at: param('now'), held_until: 0 })
      .onConflict(['service', 'name'])
      .ignore(),
    tables,
  );
  const find = prepare<{ name: string }, { readonly began: number; readonly held: number }>(
    row.clone().select('began_at as began', 'held_until as held'),
  );
  const begin = prepare<{ name: string; due: number; now: number; until: number }, never>(
    row
      .clone()
      .where('began_at', '<=', param('due'))
      .where('held_until', '<=', param('now'))
      .update({ holder, began_at: param('now'), held_until: param('until') }),
    tables,
  );
  const hold = prepare<{ name: string; until: number }, never>(
    row
      .clone()
      .where({ holder })
      .update({ held_until: param('until') }),
    tables,
  );
  return {
    /** Takes a turn that is due. Else it gives the milliseconds until the next may be. */
    async take(name: string, interval: number, now: number): Promise<'taken' | number> {
      const [known] = await all(find, { name });
      if (known === undefined) {
        await transaction((trx) => trx.run(add, { name, now }));
        return interval;
      }
      const wait = Math.max(known.began + interval, known.held) - now;
      if (wait > 0) return wait;
      const turn = { name, due: now - interval, now, until: now + leaseMilliseconds };
      return (await transaction((trx) => trx.run(begin, turn))) === 1 ? 'taken' : 0;
    },
    /** Renews a lease until then, or ends it; false where another process has it. */
    hold: async (name: string, until: number): Promise<boolean> =>
      (await transaction((trx) => trx.run(hold, { name, until }))) === 1,
  };
};

/** The leases of the jobs of a service. */
export type JobLeases = ReturnType<typeof jobLeases>;
