import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type CodeGrant,
  type CodeStorage,
  knexOAuthCodes,
} from '../../../../../src/server/storage/identity/oauth-codes';
import { knexTokens, type NewToken } from '../../../../../src/server/storage/identity/tokens';
import { knexAccounts } from '../../../../../src/server/storage/identity/users';
import { countRows } from '../../../../support/count-rows';
import { openTemporaryDatabase, type TemporaryDatabase } from '../temporary-database';

const now = 1_700_000_000_000;
let file: TemporaryDatabase;
let codes: CodeStorage;
let userKey: string;

beforeAll(async () => {
  file = await openTemporaryDatabase();
});

beforeEach(async () => {
  for (const table of ['oauth_codes', 'tokens', 'users']) await file.db.knex(table).delete();
  await file.db
    .knex('users')
    .insert({ service: 'shop', id: 1, username: 'ann', username_key: 'ann', document: '{}' });
  userKey = (await knexAccounts(file.db, 'shop').find('ann'))?.key ?? '';
  codes = knexOAuthCodes(file.db, 'shop');
});

afterAll(() => file.remove());

const grant = (changes: Partial<CodeGrant> = {}): CodeGrant => ({
  clientId: 'app',
  userKey,
  redirectUri: 'https://app.example/',
  challenge: 'challenge',
  scopes: ['read', 'write'],
  expiresAt: now + 60_000,
  ...changes,
});

const tokenOf = (given: CodeGrant): NewToken => ({
  kind: 'access-token',
  hash: 'token',
  userKey: given.userKey,
  scopes: given.scopes,
  client: given.clientId,
  createdAt: now,
  expiresAt: now + 3_600_000,
});

const forgetAt = now + 3_600_000;
const liveToken = () => knexTokens(file.db, 'shop').findIssued('token', now);

describe('a code', () => {
  test.each<[string, Partial<CodeGrant>]>([
    ['storage', {}],
    ['without a redirect URI', { redirectUri: undefined }],
    ['without scopes', { scopes: [] }],
  ])('is given back as it was kept, %s', async (_, changes) => {
    expect(await codes.add('code', grant(changes))).toBe(true);
    const seen: CodeGrant[] = [];
    const token = await codes.exchange('code', forgetAt, (given) => {
      seen.push(given);
      return tokenOf(given);
    });
    expect(seen).toEqual([grant(changes)]);
    expect(token).toEqual(tokenOf(grant(changes)));
    expect(await liveToken()).toMatchObject({
      username: 'ann',
      client: 'app',
      scopes: grant(changes).scopes,
      createdAt: now,
      expiresAt: forgetAt,
    });
  });

  test('ends its token when it comes again, and no other', async () => {
    await codes.add('code', grant());
    await codes.exchange('code', forgetAt, tokenOf);
    await knexTokens(file.db, 'shop').add({ ...tokenOf(grant()), hash: 'other' });
    expect(await codes.exchange('code', forgetAt, tokenOf)).toBeUndefined();
    expect(await liveToken()).toBeUndefined();
    expect(await countRows(file.db, 'tokens')).toBe(1);
  });

  test('is used up also where no token is made of it', async () => {
    await codes.add('code', grant());
    expect(await codes.exchange('code', forgetAt, () => undefined)).toBeUndefined();
    expect(await codes.exchange('code', forgetAt, tokenOf)).toBeUndefined();
    expect(await liveToken()).toBeUndefined();
  });

  test('stays good where keeping its token fails', async () => {
    await codes.add('code', grant());
    const failing = codes.exchange('code', forgetAt, () => {
      throw new Error('on the way');
    });
    await expect(failing).rejects.toThrow('on the way');
    expect(await codes.exchange('code', forgetAt, tokenOf)).toBeDefined();
  });

  test('is known in its service alone', async () => {
    await codes.add('code', grant());
    const others = knexOAuthCodes(file.db, 'other');
    expect(await others.exchange('code', forgetAt, tokenOf)).toBeUndefined();
    expect(await others.add('another', grant())).toBe(false);
    expect(await codes.exchange('code', forgetAt, tokenOf)).toBeDefined();
    await others.exchange('code', forgetAt, tokenOf);
    expect(await liveToken()).toBeDefined();
  });

  test('is forgotten when it has expired, or when its token has', async () => {
    await codes.add('unused', grant());
    await codes.add('used', grant());
    await codes.exchange('used', forgetAt, tokenOf);
    for (const [at, left] of [
      [now + 59_999, 2],
      [now + 60_000, 1],
      [forgetAt - 1, 1],
      [forgetAt, 0],
    ] as const) {
      await codes.deleteExpired(at);
      expect(await countRows(file.db, 'oauth_codes')).toBe(left);
    }
  });

  test('goes with its user, and none comes for a user who is gone', async () => {
    await codes.add('code', grant());
    await file.db.knex('users').delete();
    expect(await countRows(file.db, 'oauth_codes')).toBe(0);
    expect(await codes.add('late', grant())).toBe(false);
  });
});

test('only access tokens that are good now are looked up', async () => {
  const tokens = knexTokens(file.db, 'shop');
  await tokens.add({ ...tokenOf(grant()), client: undefined });
  await tokens.add({ ...tokenOf(grant()), hash: 'login', kind: 'login' });
  const { findIssued: find } = knexTokens(file.db, 'shop');
  expect((await find('token', now))?.client).toBeUndefined();
  expect(await find('token', forgetAt - 1)).toBeDefined();
  expect(await find('token', forgetAt)).toBeUndefined();
  expect(await find('login', now)).toBeUndefined();
  expect(await knexTokens(file.db, 'other').findIssued('token', now)).toBeUndefined();
});
