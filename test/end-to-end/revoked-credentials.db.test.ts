/** A credential that was revoked is refused at once, by every process, however often it was good before. */

import { describe, expect, test } from '@jest/globals';
import { digest } from '../../src/server/identity/token';
import { knexApiKeys } from '../../src/server/storage/identity/api-keys';
import { knexTokens } from '../../src/server/storage/identity/tokens';
import { useServices } from '../support/services';

const services = useServices();

const paths = ['/petstore/pet/1', '/petstore/pet/4711', '/petstore/pet/x'];
const statuses = async (credential: { readonly token?: string; readonly key?: string }) => {
  const answers = await Promise.all(paths.map((path) => services().ask(`GET ${path}`, credential)));
  return answers.map(({ status }) => status);
};

describe('a credential that was good before', () => {
  test('as a token is refused when another process has revoked it', async () => {
    const { db, grant } = services();
    const token = await grant({ service: 'petstore', scopes: ['read:pets', 'write:pets'] });
    for (let times = 0; times < 3; times += 1) {
      expect(await statuses({ token })).toEqual([200, 404, 400]);
    }
    const tokens = knexTokens(db, 'petstore');
    const found = await tokens.findActive(digest(token), Date.now());
    expect(await tokens.revoke(found?.key ?? '')).toBe(true);
    expect(await statuses({ token })).toEqual([401, 401, 401]);
  });

  test('as an API key is refused when another process has revoked it', async () => {
    const { db } = services();
    const keys = knexApiKeys(db, 'petstore');
    await keys.add({ label: 'partner', hash: digest('a-key'), createdAt: Date.now() });
    for (let times = 0; times < 3; times += 1) {
      expect(await statuses({ key: 'a-key' })).toEqual([200, 404, 400]);
    }
    expect(await keys.revoke('partner', Date.now())).toBe(true);
    expect(await statuses({ key: 'a-key' })).toEqual([401, 401, 401]);
  });
});
