/** Authorization codes and their tokens; test/end-to-end/oauth-code.db.test.ts has what clients see of them. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  type CodeGrant,
  type CodeStorage,
  knexOAuthCodes,
} from '../../../../src/storage/identity/oauth-codes';
import {
  knexTokens,
  type NewToken,
  type TokenStorage,
} from '../../../../src/storage/identity/tokens';
import { knexAccounts } from '../../../../src/storage/identity/users';
import { countRows } from '../../../support/stored-items';
import { emptyTables } from '../../../support/tables';
import { useTemporaryDatabase } from '../temporary-database';

const now = 1_700_000_000_000;
const forgetAt = now + 3_600_000;

const file = useTemporaryDatabase();
let codes: CodeStorage;
let tokens: TokenStorage;
let userKey: string;

const addUser = async (username: string, id: number): Promise<string> => {
  const user = { service: 'shop', id, username, username_key: username, document: '{}' };
  await file.db.knex('users').insert(user);
  return (await knexAccounts(file.db, 'shop').find(username))?.key ?? '';
};

beforeEach(async () => {
  await emptyTables(file.db);
  userKey = await addUser('ann', 1);
  codes = knexOAuthCodes(file.db, 'shop');
  tokens = knexTokens(file.db, 'shop');
});

const grant = (changes: Partial<CodeGrant> = {}): CodeGrant => ({
  ...{ clientId: 'app', userKey, redirectUri: 'https://app.example/', challenge: 'challenge' },
  ...{ scopes: ['read', 'write'], expiresAt: now + 60_000 },
  ...changes,
});

const tokenOf = ({ userKey, scopes, resources, clientId }: CodeGrant): NewToken => ({
  ...{ kind: 'access-token', hash: 'token', userKey, scopes, resources, client: clientId },
  ...{ createdAt: now, expiresAt: forgetAt },
});

const liveToken = async () => tokens.findActive('token', now);

describe('a code', () => {
  test('is given back as it was kept, also where little was', async () => {
    const bare = grant({ redirectUri: undefined, scopes: [] });
    await codes.add('code', bare);
    const seen: CodeGrant[] = [];
    await codes.exchange('code', forgetAt, (given) => {
      seen.push(given);
      return tokenOf(given);
    });
    expect(seen).toEqual([bare]);
    expect((await liveToken())?.scopes).toEqual([]);
  });

  test.each<[readonly string[] | undefined]>([
    [undefined],
    [['https://a.example/shop']],
    [['https://a.example/shop/b', 'https://a.example/shop/c']],
  ])('is kept, and its token, with the resources %j', async (resources) => {
    await codes.add('code', grant({ resources }));
    await codes.exchange('code', forgetAt, tokenOf);
    expect((await liveToken())?.resources).toEqual(resources);
  });

  test('ends its token when it comes again, and no other', async () => {
    await codes.add('code', grant());
    await codes.exchange('code', forgetAt, tokenOf);
    await tokens.add({ ...tokenOf(grant()), hash: 'other' });
    expect(await codes.exchange('code', forgetAt, tokenOf)).toBeUndefined();
    expect(await liveToken()).toBeUndefined();
    expect(await countRows(file.db, 'tokens')).toBe(1);
  });

  test('stays good where keeping its token fails', async () => {
    await codes.add('code', grant());
    const failing = codes.exchange('code', forgetAt, () => {
      throw new Error('on the way');
    });
    await expect(failing).rejects.toThrow('on the way');
    expect(await codes.exchange('code', forgetAt, tokenOf)).toBeDefined();
  });

  test('of another service ends no token, and none is kept for its users', async () => {
    await codes.add('code', grant());
    await codes.exchange('code', forgetAt, tokenOf);
    const others = knexOAuthCodes(file.db, 'other');
    expect(await others.add('another', grant())).toBe(false);
    expect(await others.exchange('code', forgetAt, tokenOf)).toBeUndefined();
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

  test('does not come, nor does a token, for a user who is gone', async () => {
    await file.db.knex('users').delete();
    expect(await codes.add('late', grant())).toBe(false);
    expect(await tokens.add(tokenOf(grant()))).toBe(false);
  });
});

describe('a user who is disabled', () => {
  const accounts = () => knexAccounts(file.db, 'shop');

  test('has no tokens and codes any more, and gets none', async () => {
    await tokens.add(tokenOf(grant()));
    await codes.add('code', grant());
    expect(await knexAccounts(file.db, 'other').setDisabled('ann', now)).toBe(false);
    expect(await liveToken()).toBeDefined();
    expect(await accounts().setDisabled('ann', now)).toBe(true);
    expect(await accounts().find('ann')).toMatchObject({ disabledAt: now });
    expect(await liveToken()).toBeUndefined();
    expect(await codes.exchange('code', forgetAt, tokenOf)).toBeUndefined();
    expect(await tokens.add(tokenOf(grant()))).toBe(false);
    expect(await codes.add('late', grant())).toBe(false);
  });

  test('is refused a token of version 0.2.0, which knows no disabled users', async () => {
    await tokens.add(tokenOf(grant()));
    await file.db.knex('users').update({ disabled_at: now });
    expect(await liveToken()).toBeUndefined();
    expect(await tokens.list(now)).toEqual([]);
    // It is not good once the user is enabled, either.
    await accounts().setDisabled('ann', null);
    expect(await accounts().find('ann')).toMatchObject({ disabledAt: undefined });
    expect(await liveToken()).toBeUndefined();
    expect(await tokens.add(tokenOf(grant()))).toBe(true);
  });

  test('loses the race of a token against the change', async () => {
    const added = Array.from({ length: 20 }, (_, at) =>
      tokens.add({ ...tokenOf(grant()), hash: String(at) }),
    );
    await Promise.all([...added, accounts().setDisabled('ann', now)]);
    expect(await countRows(file.db, 'tokens')).toBe(0);
  });
});

describe('a token', () => {
  test('is looked up where it is good now, and of the service', async () => {
    await tokens.add({ ...tokenOf(grant()), client: undefined });
    expect((await liveToken())?.client).toBeUndefined();
    expect(await tokens.findActive('token', forgetAt - 1)).toBeDefined();
    expect(await tokens.findActive('token', forgetAt)).toBeUndefined();
    expect(await knexTokens(file.db, 'other').findActive('token', now)).toBeUndefined();
  });

  test("is neither made nor ended by another service, nor with another user's", async () => {
    await tokens.add(tokenOf(grant()));
    const live = await tokens.findActive('token', now);
    const others = knexTokens(file.db, 'other');
    expect(await others.add({ ...tokenOf(grant()), hash: 'other' })).toBe(false);
    expect(await others.revoke([live?.key ?? ''])).toBe(0);
    expect(await others.list(now)).toEqual([]);
    expect(await tokens.list(now, { user_key: await addUser('bob', 2) })).toEqual([]);
    expect(await tokens.findActive('token', now)).toEqual(live);
    expect(await tokens.list(now, { user_key: userKey })).toEqual([live]);
    expect(await tokens.revoke([live?.key ?? '', '2147483000'])).toBe(1);
  });
});
