import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  knexTokens,
  type NewToken,
  type TokenStorage,
} from '../../../../../src/server/storage/identity/tokens';
import { knexAccounts } from '../../../../../src/server/storage/identity/users';
import { openTemporaryDatabase, type TemporaryDatabase } from '../temporary-database';

let file: TemporaryDatabase;
let tokens: TokenStorage;
let userKey: string;
let bobKey: string;

beforeAll(async () => {
  file = await openTemporaryDatabase();
  for (const [index, username] of ['ann', 'bob'].entries()) {
    await file.db
      .knex('users')
      .insert({ service: 'petstore', id: index, username, username_key: username, document: '{}' });
  }
  const accounts = knexAccounts(file.db, 'petstore');
  userKey = (await accounts.find('ann'))?.key ?? '';
  bobKey = (await accounts.find('bob'))?.key ?? '';
  tokens = knexTokens(file.db, 'petstore');
});

beforeEach(() => file.db.knex('tokens').delete());

afterAll(() => file.remove());

const token = (changes: Partial<NewToken> = {}): NewToken => ({
  kind: 'access-token',
  hash: 'digest',
  userKey,
  scopes: ['write:pets', 'read:pets'],
  client: 'docs',
  createdAt: 1_700_000_000_000,
  expiresAt: 1_700_000_003_600,
  ...changes,
});

describe('knexTokens', () => {
  test.each([
    ['a login', { kind: 'login', scopes: [], client: undefined }],
    ['an access token', {}],
    ['a token of one scope', { scopes: ['read:pets'] }],
  ] as const)('finds %s as it was kept', async (_title, changes) => {
    const { kind, scopes } = token(changes);
    expect(await tokens.add(token(changes))).toBe(true);
    expect(await tokens.findActive('digest', 1_700_000_000_000)).toEqual({
      key: expect.any(String),
      kind,
      hash: 'digest',
      userKey,
      username: 'ann',
      scopes,
    });
  });

  test.each([
    ['one millisecond before', -1, true],
    ['at the moment', 0, false],
    ['after the moment', 1, false],
  ])('%s of expiry', async (_title, offset, found) => {
    await tokens.add(token());
    const live = await tokens.findActive('digest', token().expiresAt + offset);
    expect(live !== undefined).toBe(found);
  });

  test('keeps no token for a user that is gone', async () => {
    expect(await tokens.add(token({ userKey: '999' }))).toBe(false);
    expect(await tokens.findActive('digest', 0)).toBeUndefined();
  });

  test("another service sees, makes and ends none of this service's tokens", async () => {
    await tokens.add(token());
    const live = await tokens.findActive('digest', 0);
    const others = knexTokens(file.db, 'ads');
    expect(await others.findActive('digest', 0)).toBeUndefined();
    expect(await others.add(token({ hash: 'other' }))).toBe(false);
    expect(await others.revoke(live?.key ?? '')).toBe(false);
    expect(await others.revokeAll(userKey)).toBe(0);
    expect(await tokens.findActive('digest', 0)).toEqual(live);
  });

  test('ends one token, once', async () => {
    await tokens.add(token());
    await tokens.add(token({ hash: 'second' }));
    const key = (await tokens.findActive('digest', 0))?.key ?? '';
    expect([await tokens.revoke(key), await tokens.revoke(key)]).toEqual([true, false]);
    expect(await tokens.findActive('digest', 0)).toBeUndefined();
    expect(await tokens.findActive('second', 0)).toBeDefined();
  });

  test("ends all of a user's tokens", async () => {
    await tokens.add(token());
    await tokens.add(token({ hash: 'second' }));
    await tokens.add(token({ hash: 'of bob', userKey: bobKey }));
    expect(await tokens.revokeAll(userKey)).toBe(2);
    expect(await tokens.findActive('of bob', 0)).toMatchObject({ username: 'bob' });
  });

  test('forgets what has expired', async () => {
    await tokens.add(token());
    await tokens.add(token({ hash: 'longer', expiresAt: token().expiresAt + 1 }));
    await tokens.deleteExpired(token().expiresAt);
    expect(await file.db.knex('tokens').select('hash')).toEqual([{ hash: 'longer' }]);
  });

  test('lasts over a restart', async () => {
    await tokens.add(token());
    tokens = knexTokens(await file.reopen(), 'petstore');
    expect(await tokens.findActive('digest', 0)).toMatchObject({ username: 'ann' });
  });
});
