/** Device codes and what users decide about them; test/end-to-end/device-grant.db.test.ts has what devices see of them. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  type DeviceCodeStorage,
  knexDeviceCodes,
} from '../../../../src/storage/identity/device-codes';
import { knexTokens, type NewToken } from '../../../../src/storage/identity/tokens';
import { knexAccounts, usersOver } from '../../../../src/storage/identity/users';
import { standInCodecOf } from '../../../support/stand-in-codec';
import { countRows } from '../../../support/stored-items';
import { emptyTables } from '../../../support/tables';
import { useTemporaryDatabase } from '../temporary-database';

const now = 1_700_000_000_000;
const expiresAt = now + 600_000;

const file = useTemporaryDatabase();
let codes: DeviceCodeStorage;
let userKey: string;

beforeEach(async () => {
  await emptyTables(file.db);
  const user = { service: 'shop', id: 1, username: 'ann', username_key: 'ann', document: '{}' };
  await file.db.knex('users').insert(user);
  userKey = (await knexAccounts(file.db, 'shop').find('ann'))?.key ?? '';
  codes = knexDeviceCodes(file.db, 'shop');
});

const request = { clientId: 'tv', scopes: ['read', 'write'] };
const add = (hash = 'device', userCodeHash = 'user', at = now) =>
  codes.add({ ...request, hash, userCodeHash }, at, at + 600_000);

const tokenOf = (grant: Pick<NewToken, 'userKey' | 'scopes'>): NewToken => ({
  ...{ kind: 'access-token', hash: 'token', client: 'tv', createdAt: now, expiresAt },
  ...grant,
});
const poll = (at = now, hash = 'device', client = 'tv', of = codes) =>
  of.poll(hash, client, at, tokenOf);

test('resources are kept, and a code that gives no token stays', async () => {
  const resources = ['https://a.example/shop/b'];
  await codes.add({ ...request, resources, hash: 'device', userCodeHash: 'user' }, now, expiresAt);
  await codes.decide('user', now, userKey);
  expect(await codes.poll('device', 'tv', now, () => undefined)).toBe('invalid_target');
  expect(await poll()).toMatchObject({ resources });
  expect(await knexTokens(file.db, 'shop').findActive('token', now)).toMatchObject({ resources });
});

describe('a user code', () => {
  test('is found until it expires or is decided on, by its service alone', async () => {
    await add();
    expect(await codes.find('user', expiresAt - 1)).toEqual(request);
    expect(await codes.find('user', expiresAt)).toBeUndefined();
    expect(await codes.find('device', now)).toBeUndefined();
    expect(await knexDeviceCodes(file.db, 'other').find('user', now)).toBeUndefined();
    expect(await codes.decide('user', now, undefined)).toBe(true);
    expect(await codes.find('user', now)).toBeUndefined();
  });

  test('is of one device at a time', async () => {
    expect(await add()).toBe(true);
    expect(await add('another')).toBe(false);
    expect(await add('another', 'other')).toBe(true);
    const others = knexDeviceCodes(file.db, 'other');
    const given = { ...request, hash: 'third', userCodeHash: 'user' };
    expect(await others.add(given, now, expiresAt)).toBe(true);
  });

  test.each<[string, readonly (boolean | 'nobody')[], readonly boolean[]]>([
    ['allowed', [true, false], [true, false]],
    ['denied', [false, true], [true, false]],
    ['allowed twice', [true, true], [true, false]],
    ['allowed by a user who is gone', ['nobody', true], [false, true]],
  ])('is decided on once: %s', async (_, decisions, outcomes) => {
    await add();
    const done: boolean[] = [];
    for (const by of decisions) {
      const key = by === 'nobody' ? '2147483000' : userKey;
      done.push(await codes.decide('user', now, by === false ? undefined : key));
    }
    expect(done).toEqual(outcomes);
  });

  test('is decided on by one of many who try together', async () => {
    await add();
    const keys = [userKey, undefined, userKey, undefined, userKey, undefined];
    const done = await Promise.all(keys.map((key) => codes.decide('user', now, key)));
    expect(done.filter(Boolean)).toHaveLength(1);
  });

  test('is not decided on when it has expired', async () => {
    await add();
    expect(await codes.decide('user', expiresAt, userKey)).toBe(false);
    expect(await knexDeviceCodes(file.db, 'other').decide('user', now, undefined)).toBe(false);
    expect(await poll()).toBe('authorization_pending');
  });
});

describe('a poll', () => {
  test('learns how things are; one that comes early waits five seconds longer each time', async () => {
    await add();
    const seconds: [number, string][] = [
      [0, 'authorization_pending'],
      [4.999, 'slow_down'],
      [14.998, 'slow_down'],
      [29.998, 'authorization_pending'],
      [44.997, 'slow_down'],
      [64.997, 'authorization_pending'],
    ];
    for (const [second, state] of seconds) {
      expect([second, await poll(now + second * 1000)]).toEqual([second, state]);
    }
    expect(await poll(expiresAt)).toBe('expired_token');
  });

  test('gets no token of a user who is disabled, who can allow no other device, either', async () => {
    const accounts = knexAccounts(file.db, 'shop');
    await add();
    await codes.decide('user', now, userKey);
    await accounts.setDisabled('ann', now);
    expect(await poll()).toBe('invalid_grant');
    await add();
    expect(await codes.decide('user', now, userKey)).toBe(false);
    expect(await poll()).toBe('authorization_pending');
  });

  test('is for the client that asked, and of the service', async () => {
    await add();
    await codes.decide('user', now, userKey);
    const others = knexDeviceCodes(file.db, 'other');
    for (const refused of [poll(now, 'none'), poll(now, 'device', 'radio'), poll(now, 'user')]) {
      expect(await refused).toBe('invalid_grant');
    }
    expect(await poll(now, 'device', 'tv', others)).toBe('invalid_grant');
    expect(await countRows(file.db, 'tokens')).toBe(0);
  });

  test('gets the token once, whoever else polls', async () => {
    await add();
    await codes.decide('user', now, userKey);
    const polled = await Promise.all(Array.from({ length: 6 }, () => poll()));
    expect(polled.filter((one) => typeof one !== 'string')).toEqual([
      tokenOf({ userKey, scopes: request.scopes }),
    ]);
    expect(new Set(polled.filter((one) => typeof one === 'string'))).toEqual(
      new Set(['invalid_grant']),
    );
    const token = await knexTokens(file.db, 'shop').findActive('token', now);
    expect(token).toMatchObject({ username: 'ann', scopes: request.scopes, client: 'tv' });
    expect(await countRows(file.db, 'device_codes')).toBe(0);
  });

  test('learns what another process was told, and one of both gets the token', async () => {
    const others = knexDeviceCodes(await file.openAnother(), 'shop');
    await add();
    expect(await poll(now, 'device', 'tv', others)).toBe('authorization_pending');
    expect(await poll()).toBe('slow_down');
    expect(await others.find('user', now)).toEqual(request);
    expect(await others.decide('user', now, userKey)).toBe(true);
    expect(await codes.find('user', now)).toBeUndefined();
    const polled = await Promise.all([poll(), poll(now, 'device', 'tv', others)]);
    expect(polled.filter((one) => typeof one !== 'string')).toHaveLength(1);
    expect(polled).toContain('invalid_grant');
  });

  test('gets no token once the code has expired, or was denied', async () => {
    await add();
    await add('denied', 'other');
    await codes.decide('user', now, userKey);
    await codes.decide('other', now, undefined);
    expect(await poll(expiresAt)).toBe('expired_token');
    expect(await poll(now, 'denied')).toBe('access_denied');
    expect(await poll(now, 'denied')).toBe('access_denied');
    expect(await countRows(file.db, 'tokens')).toBe(0);
  });

  test('stays good where keeping its token fails', async () => {
    await add();
    await codes.decide('user', now, userKey);
    const failing = codes.poll('device', 'tv', now, () => {
      throw new Error('on the way');
    });
    await expect(failing).rejects.toThrow('on the way');
    expect(await poll()).toMatchObject({ userKey });
  });
});

describe('what a user has allowed', () => {
  const users = () => usersOver(file.db, 'shop', standInCodecOf<{ username?: string }>())(file.db);

  test.each<[string, () => Promise<unknown>]>([
    ['the user is deleted', () => users().delete('ann')],
    ['the user has a new password', () => users().update('ann', (user) => user, 'hash')],
  ])('ends where %s', async (_, change) => {
    await add();
    await add('waiting', 'other');
    await codes.decide('user', now, userKey);
    await change();
    expect(await poll()).toBe('invalid_grant');
    expect(await poll(now, 'waiting')).toBe('authorization_pending');
  });
});

test('codes are remembered for ten minutes after they have expired', async () => {
  await add();
  await add('second', 'second', expiresAt + 599_999);
  expect(await poll(expiresAt + 599_999)).toBe('expired_token');
  await add('third', 'third', expiresAt + 600_000);
  expect(await poll(expiresAt + 600_000)).toBe('invalid_grant');
  expect(await countRows(file.db, 'device_codes')).toBe(2);
});
