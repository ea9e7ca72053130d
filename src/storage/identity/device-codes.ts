/** Stores device codes: the digests of both codes, what the device asks for, and what the user decided (RFC 8628). */

import type { Database } from '../database/database';
import { param, paramsOf, type Value } from '../sql/statement';
import { type NewToken, readScopes, tokenRows, userLock, writeScopes } from './tokens';

/** What a device asks for. */
export interface DeviceRequest {
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The seconds between two polls, and those that each early poll adds (RFC 8628 sections 3.2 and 3.5). */
export const pollSeconds = 5;

/** Milliseconds for which an expired code is remembered, so that its device learns that it has expired. */
const rememberedFor = 10 * 60 * 1000;

interface DeviceRow {
  readonly client: string;
  readonly user_key: number | string | null;
  readonly scopes: string;
  readonly is_denied: number;
  readonly expires_at: number | string;
  readonly poll_seconds: number;
  readonly next_poll_at: number | string;
}

const toRequest = (row: DeviceRow): DeviceRequest => ({
  clientId: row.client,
  scopes: readScopes(row.scopes),
  expiresAt: Number(row.expires_at),
});

const newColumns = [
  'hash',
  'user_code_hash',
  'client',
  'scopes',
  'expires_at',
  'poll_seconds',
] as const;

/** The device codes of one service, in the table `device_codes`. What a user has allowed is deleted with the user. */
export const knexDeviceCodes = (db: Database, service: string) => {
  const { knex, prepare, all, transaction } = db;
  const codes = () => knex('device_codes').where({ service });
  const named = () => codes().where({ hash: param('hash') });
  const undecided = () =>
    codes()
      .where({ user_code_hash: param('userCodeHash'), user_key: null, is_denied: 0 })
      .where('expires_at', '>', param('now'));
  const lockUser = userLock(db, service);
  const addToken = tokenRows(db, service);
  const insert = prepare<Readonly<Record<(typeof newColumns)[number], Value>>, never>(
    knex('device_codes')
      .insert({ service, is_denied: 0, next_poll_at: 0, ...paramsOf(newColumns) })
      .onConflict()
      .ignore(),
    ['device_codes'],
  );
  const find = prepare<{ userCodeHash: string; now: number }, DeviceRow>(undecided().select());
  const decide = prepare<Readonly<Record<string, Value>>, never>(
    undecided().update({ user_key: param('userKey'), is_denied: param('isDenied') }),
    ['device_codes'],
  );
  const lock = prepare<{ hash: string }, DeviceRow>(named().forUpdate().select());
  const pace = prepare<{ hash: string; seconds: number; nextAt: number }, never>(
    named().update({ poll_seconds: param('seconds'), next_poll_at: param('nextAt') }),
    ['device_codes'],
  );
  const remove = prepare<{ hash: string }, never>(named().delete(), ['device_codes']);
  const deleteExpired = prepare<{ before: number }, never>(
    knex('device_codes').where('expires_at', '<=', param('before')).delete(),
    ['device_codes'],
  );

  return {
    /** Adds the codes, and deletes those that have long expired; false where the user code is in use. */
    add: (
      hash: string,
      userCodeHash: string,
      { clientId, scopes, expiresAt }: DeviceRequest,
      now: number,
    ): Promise<boolean> =>
      transaction(async (trx) => {
        await trx.send(deleteExpired, { before: now - rememberedFor });
        const given = { client: clientId, scopes: writeScopes(scopes), expires_at: expiresAt };
        const codes = { hash, user_code_hash: userCodeHash, poll_seconds: pollSeconds };
        return (await trx.run(insert, { ...given, ...codes })) > 0;
      }),

    /** Finds what a user code stands for, until the user has decided or it has expired. */
    find: async (userCodeHash: string, now: number): Promise<DeviceRequest | undefined> =>
      (await all(find, { userCodeHash, now })).map(toRequest)[0],

    /**
     * Notes once and for all what the user decided; false where that is too late, or the user was deleted.
     *
     * @param userKey - the user who allows it; undefined: it is denied
     */
    decide: (userCodeHash: string, now: number, userKey: string | undefined): Promise<boolean> =>
      transaction(async (trx) => {
        if (userKey !== undefined && !(await lockUser(trx, userKey))) return false;
        const decision = { userKey: userKey ?? null, isDenied: userKey === undefined ? 1 : 0 };
        return (await trx.run(decide, { userCodeHash, now, ...decision })) > 0;
      }),

    /**
     * Adds the token that `tokenFor` makes, once, where the user has allowed it; resolves to that token, or to why there is none
     * (RFC 8628 section 3.5).
     */
    poll: (
      hash: string,
      clientId: string,
      now: number,
      tokenFor: (grant: Pick<NewToken, 'userKey' | 'scopes'>) => NewToken,
    ) =>
      transaction(async (trx) => {
        const [row] = await trx.all(lock, { hash });
        if (row === undefined || row.client !== clientId) return 'invalid_grant';
        if (Number(row.expires_at) <= now) return 'expired_token';
        if (row.is_denied === 1) return 'access_denied';
        if (row.user_key !== null) {
          const grant = { userKey: String(row.user_key), scopes: readScopes(row.scopes) };
          const token = tokenFor(grant);
          await trx.send(remove, { hash });
          return (await addToken(trx, token)) ? token : 'invalid_grant';
        }
        const isEarly = now < Number(row.next_poll_at);
        const seconds = row.poll_seconds + (isEarly ? pollSeconds : 0);
        await trx.send(pace, { hash, seconds, nextAt: now + seconds * 1000 });
        return isEarly ? 'slow_down' : 'authorization_pending';
      }),
  };
};

export type DeviceCodeStorage = ReturnType<typeof knexDeviceCodes>;
