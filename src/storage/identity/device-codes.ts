/** Stores device codes: the digests of both codes, the request of the device, and the decision of its user (RFC 8628). */

import type { Database, Transaction } from '../database/database';
import { param, paramsOf, type Values } from '../sql/statement';
import {
  type ForResources,
  type NewToken,
  type ResourcesRow,
  readResources,
  readScopes,
  tokenRows,
  userLock,
  writeResources,
  writeScopes,
} from './tokens';

/** The request of a device. */
export type DeviceRequest = Readonly<{ clientId: string; scopes: readonly string[] }> &
  ForResources;

/** The seconds between two polls, and those that each early poll adds (RFC 8628 sections 3.2 and 3.5). */
export const pollSeconds = 5;

interface DeviceRow
  extends ResourcesRow,
    Readonly<Record<'hash' | 'client' | 'scopes', string>>,
    Readonly<Record<'is_denied' | 'poll_seconds' | 'expires_at' | 'next_poll_at', number>> {
  readonly user_key: number | null;
}

const grantOf = (row: DeviceRow): Pick<NewToken, 'userKey' | 'scopes' | 'resources'> => ({
  userKey: String(row.user_key),
  scopes: readScopes(row.scopes),
  resources: readResources(row),
});

/** Tells what a poll finds (RFC 8628 section 3.5). */
const stateOf = (row: DeviceRow, now: number) => {
  if (row.expires_at <= now) return 'expired_token';
  if (row.is_denied === 1) return 'access_denied';
  if (row.user_key !== null) return 'allowed';
  return now < row.next_poll_at ? 'slow_down' : 'authorization_pending';
};

// Named, since PostgreSQL refuses a prepared `select *` once a newer version has added a column.
const read: readonly (keyof DeviceRow)[] = [
  ...(['hash', 'client', 'scopes', 'resources', 'is_denied', 'poll_seconds'] as const),
  ...(['expires_at', 'next_poll_at', 'user_key'] as const),
];

/** The device codes of one service, in the table `device_codes`. What a user has allowed is deleted with the user. */
export const knexDeviceCodes = (db: Database, service: string) => {
  // Milliseconds for which an expired code is remembered, so that its device learns that it has expired.
  const rememberedFor = 10 * 60 * 1000;
  const { knex, prepare, all, transaction } = db;
  const codes = () => knex('device_codes').where({ service });
  const named = () => codes().where({ hash: param('hash') });
  const undecided = () =>
    codes()
      .where({ user_code_hash: param('userCodeHash'), user_key: null, is_denied: 0 })
      .where('expires_at', '>', param('now'));
  const lockUser = userLock(db, service);
  const addToken = tokenRows(db, service);
  const given = [
    'hash',
    'user_code_hash as userCodeHash',
    'client as clientId',
    'scopes',
    'resources',
  ];
  const insert = prepare<Values, never>(
    knex('device_codes')
      .insert({
        service,
        is_denied: 0,
        poll_seconds: pollSeconds,
        next_poll_at: 0,
        ...paramsOf([...given, 'expires_at as expiresAt']),
      })
      .onConflict()
      .ignore(),
    ['device_codes'],
  );
  const find = prepare<{ userCodeHash: string; now: number }, DeviceRow>(undecided().select(read));
  const decide = prepare<Values, never>(
    undecided().update({ user_key: param('userKey'), is_denied: param('isDenied') }),
    ['device_codes'],
  );
  const lock = prepare<{ hash: string; clientId: string }, DeviceRow>(
    named()
      .where({ client: param('clientId') })
      .forUpdate()
      .select(read),
  );
  const pace = prepare<{ hash: string; seconds: number; nextAt: number }, never>(
    named().update({ poll_seconds: param('seconds'), next_poll_at: param('nextAt') }),
    ['device_codes'],
  );
  const remove = prepare<{ hash: string }, never>(named().delete(), ['device_codes']);
  const deleteExpired = prepare<{ before: number }, never>(
    knex('device_codes').where('expires_at', '<=', param('before')).delete(),
    ['device_codes'],
  );

  const issue = async (trx: Transaction, { hash }: DeviceRow, token: NewToken) => {
    await trx.send(remove, { hash });
    return (await addToken(trx, token)) ? token : 'invalid_grant';
  };

  return {
    /** Adds the codes, and deletes those that have long expired; false where the user code is in use. */
    add: (
      request: DeviceRequest & { readonly hash: string; readonly userCodeHash: string },
      now: number,
      expiresAt: number,
    ): Promise<boolean> =>
      transaction(async (trx) => {
        await trx.send(deleteExpired, { before: now - rememberedFor });
        const scopes = writeScopes(request.scopes);
        const resources = writeResources(request);
        return (await trx.run(insert, { ...request, scopes, resources, expiresAt })) > 0;
      }),

    /** Finds what a user code stands for, until the user has decided or it has expired. */
    async find(userCodeHash: string, now: number): Promise<DeviceRequest | undefined> {
      const [row] = await all(find, { userCodeHash, now });
      return row && { clientId: row.client, scopes: readScopes(row.scopes) };
    },

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
     * (RFC 8628 section 3.5, RFC 8707 section 2): where `tokenFor` makes none, the code stays.
     */
    poll: (
      hash: string,
      clientId: string,
      now: number,
      tokenFor: (grant: ReturnType<typeof grantOf>) => NewToken | undefined,
    ) =>
      transaction(async (trx) => {
        const [row] = await trx.all(lock, { hash, clientId });
        if (row === undefined) return 'invalid_grant';
        const state = stateOf(row, now);
        if (state === 'allowed') {
          const token = tokenFor(grantOf(row));
          return token === undefined ? 'invalid_target' : issue(trx, row, token);
        }
        const seconds = row.poll_seconds + (state === 'slow_down' ? pollSeconds : 0);
        await trx.send(pace, { hash, seconds, nextAt: now + seconds * 1000 });
        return state;
      }),
  };
};

export type DeviceCodeStorage = ReturnType<typeof knexDeviceCodes>;
