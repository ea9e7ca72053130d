/** Remembers the networks from which users have signed in: a digest of each, the latest few of a user. */

import type { Database } from '../database/database';
import { param } from '../sql/statement';
import { userRows } from './tokens';

const day = 24 * 60 * 60 * 1000;

type NetworkRow = Readonly<{ userKey: string; network: string }>;

type UsedAt = Readonly<{ used_at: number }>;

/** The networks of one service's users, in the table `sign_in_networks`. A user's networks are deleted with the user. */
export const knexSignInNetworks = (db: Database, service: string) => {
  // Milliseconds for which a network is remembered after a sign-in. The date is written once a day.
  const lifetime = 90 * day;
  // The number of networks that are remembered of one user.
  const mostOfUser = 20;
  const { knex, prepare, all, transaction } = db;
  const networks = () => knex('sign_in_networks').where('user_key', param('userKey'));
  const named = () => networks().where('network', param('network'));
  const find = prepare<NetworkRow, UsedAt>(named().select('used_at'));
  const put = prepare<NetworkRow & { now: number }, never>(
    knex('sign_in_networks')
      .insert({ user_key: param('userKey'), network: param('network'), used_at: param('now') })
      .onConflict(['user_key', 'network'])
      .merge(['used_at']),
    ['sign_in_networks'],
  );
  const list = prepare<{ userKey: string }, UsedAt & { readonly network: string }>(
    networks().select('network', 'used_at'),
  );
  const forget = prepare<NetworkRow, never>(named().delete(), ['sign_in_networks']);
  const addToUser = userRows(db, service);
  const isUsedSince = async (userKey: string, network: string, since: number): Promise<boolean> =>
    (await all(find, { userKey, network })).some(({ used_at }) => used_at > since);

  return {
    /** Tells whether the user has signed in from the network of that digest in the last 90 days. Times are milliseconds since 1970. */
    isKnown: (userKey: string, network: string, now: number): Promise<boolean> =>
      isUsedSince(userKey, network, now - lifetime),

    /** Remembers a sign-in; once a day is enough. */
    async remember(userKey: string, network: string, now: number): Promise<void> {
      if (await isUsedSince(userKey, network, now - day)) return;
      await transaction(async (trx) => {
        if (!(await addToUser(trx, userKey, put, { userKey, network, now }))) return;
        const rows = await trx.all(list, { userKey });
        const latest = rows.toSorted((one, other) => other.used_at - one.used_at);
        for (const oldest of latest.slice(mostOfUser)) {
          await trx.run(forget, { userKey, network: oldest.network });
        }
      });
    },
  };
};

export type SignInNetworkStorage = ReturnType<typeof knexSignInNetworks>;
