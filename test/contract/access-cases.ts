/** Access: every operation against every kind of credential. */

import { describe, expect, test } from '@jest/globals';
import type { Asked } from '../support/ask';
import {
  type ContractContext,
  expectRefusal,
  expectStatus,
  requiredScopes,
  send,
  sendAs,
  takesKey,
} from './contract-context';
import type { ContractOperation } from './contract-operation';

/** Operations that need a credential. */
const isClosed = ({ security, login }: ContractOperation): boolean =>
  security.length > 0 || (login !== undefined && login !== 'optional');

const refuse = (
  context: ContractContext,
  operation: ContractOperation,
  status: number,
  credentials: Asked,
) =>
  expectRefusal(operation, status, (accept) =>
    sendAs(context, operation, { ...credentials, ...accept }),
  );

/** Adds the cases of callers who are not let in: they change nothing. */
export const describeStrangers = (context: ContractContext): void => {
  describe.each(context.operations.filter(isClosed))('$id', (operation) => {
    test.each<[string, Asked]>([
      ['no credentials', {}],
      ['an unknown token', { token: 'no-such-token' }],
      ['an empty token', { headers: { Authorization: 'Bearer ' } }],
      ['another scheme', { headers: { Authorization: 'Basic ZGVtbzpkZW1vLXBhc3N3b3Jk' } }],
      ['a session cookie of no session', { headers: { Cookie: 'session=no-such-session' } }],
    ])('answers 401 with a challenge to %s', async (_title, credentials) => {
      const { headers } = await refuse(context, operation, 401, credentials);
      const scheme = requiredScopes(operation).length > 0 || operation.login ? 'Bearer' : 'ApiKey';
      expect(headers['www-authenticate']).toMatch(
        new RegExp(`\\b${scheme} realm="${context.service}"`),
      );
    });

    test('says nothing of what is wrong with the request itself', async () => {
      const { text } = await refuse(context, operation, 401, { type: 'image/png', body: '{' });
      expect(text).not.toContain('errors');
    });
  });
};

const describeScopes = (context: ContractContext): void => {
  const { service, services, operations } = context;
  const scoped = operations.filter((operation) => requiredScopes(operation).length > 0);

  test.each(scoped)('$id refuses a token that lacks a scope with 403', async (operation) => {
    const scopes = requiredScopes(operation);
    for (const missing of scopes) {
      const granted = scopes.filter((scope) => scope !== missing);
      const token = await services().grant({ service, scopes: granted });
      const { headers } = await refuse(context, operation, 403, { token });
      expect(headers['www-authenticate']).toContain('error="insufficient_scope"');
      expect(headers['www-authenticate']).toContain(`scope="${scopes.join(' ')}"`);
    }
  });

  test.each(scoped)('$id refuses a login, which carries no scopes, with 403', (operation) =>
    refuse(context, operation, 403, { token: services().login[service] }),
  );

  test.each(scoped)('$id takes a token with more scopes than it needs', async (operation) => {
    const scopes = ['other:things', ...requiredScopes(operation)];
    const token = await services().grant({ service, scopes });
    expectStatus(operation, await sendAs(context, operation, { token }));
  });
};

const describeLogins = (context: ContractContext): void => {
  const { service, services, operations } = context;
  const forUsers = operations.filter(({ login }) => login !== undefined && login !== 'optional');

  test.each(forUsers)('$id refuses an access token, whatever its scopes', async (operation) => {
    const scopes = ['write:pets', 'read:pets', 'write:ads', 'read:ads'];
    const token = await services().grant({ service, scopes });
    await refuse(context, operation, 403, { token });
  });

  const own = forUsers.filter(({ login }) => login?.startsWith('{'));
  if (own.length === 0) return;
  test.each(own)("$id refuses somebody else's login with 403", async (operation) => {
    const token = await services().grant({ service, kind: 'login', user: 'user1' });
    await refuse(context, operation, 403, { token });
  });
};

/** Adds the cases of callers with a credential. */
export const describeAccess = (context: ContractContext): void => {
  const { operations, services } = context;
  test.each(operations.filter(isClosed))('$id lets the right credential in', async (operation) => {
    expectStatus(operation, await send(context, operation));
  });

  const open = operations.filter((operation) => !isClosed(operation));
  test.each(open)('$id lets anybody in, also with an unknown token', async (operation) => {
    expectStatus(operation, await sendAs(context, operation, {}));
    await services().reset();
    expectStatus(operation, await sendAs(context, operation, { token: 'no-such-token' }));
  });

  describeScopes(context);
  describeLogins(context);

  const keyed = operations.filter(takesKey);
  if (keyed.length === 0) return;
  test.each(keyed)('$id takes the right key alone', async (operation) => {
    expectStatus(operation, await sendAs(context, operation, { key: 'special-key' }));
    await refuse(context, operation, 401, { key: 'Special-Key' });
  });
};
