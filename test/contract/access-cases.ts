/** Who may call what: every operation against every kind of credential. */

import { describe, expect, test } from '@jest/globals';
import type { Asked } from '../support/ask';
import {
  type ContractContext,
  expectRefusal,
  requiredScopes,
  send,
  sendAs,
  takesKey,
} from './contract-context';
import type { ContractOperation } from './contract-operation';

type Named = readonly [string, ContractOperation];

const unknownToken: Asked = { token: 'no-such-token' };

const describeScopes = (context: ContractContext, operations: readonly Named[]): void => {
  const { service, services } = context;
  describe('an operation with scopes', () => {
    test.each(operations)(
      '%s refuses a token that lacks one of them with 403',
      async (_, operation) => {
        const scopes = requiredScopes(operation);
        for (const missing of scopes) {
          const granted = scopes.filter((scope) => scope !== missing);
          const token = await services().grant({ service, scopes: granted });
          const { headers } = await expectRefusal(operation, 403, (accept) =>
            sendAs(context, operation, { token, ...accept }),
          );
          expect(headers['www-authenticate']).toContain('error="insufficient_scope"');
          expect(headers['www-authenticate']).toContain(`scope="${scopes.join(' ')}"`);
        }
      },
    );

    test.each(operations)('%s refuses a login, which carries no scopes, with 403', (_, operation) =>
      expectRefusal(operation, 403, (accept) =>
        sendAs(context, operation, { token: services().login[service], ...accept }),
      ),
    );

    test.each(operations)(
      '%s takes a token with more scopes than it needs',
      async (_, operation) => {
        const scopes = ['other:things', ...requiredScopes(operation)];
        const token = await services().grant({ service, scopes });
        const { status, text } = await sendAs(context, operation, { token });
        expect([status, text]).toEqual([operation.success.status, text]);
      },
    );
  });
};

const describeKeys = (context: ContractContext, operations: readonly Named[]): void => {
  if (operations.length === 0) return;
  describe('an operation with an API key', () => {
    test.each(operations)('%s takes the key', async (_, operation) => {
      const { status } = await sendAs(context, operation, { key: 'special-key' });
      expect(status).toBe(operation.success.status);
    });

    test.each(operations)('%s refuses a wrong key with 401', (_, operation) =>
      expectRefusal(operation, 401, (accept) =>
        sendAs(context, operation, { key: 'Special-Key', ...accept }),
      ),
    );
  });
};

const describeLogins = (context: ContractContext, operations: readonly Named[]): void => {
  const { service, services } = context;
  describe('an operation for logged-in users', () => {
    test.each(operations)(
      '%s refuses an access token, whatever its scopes, with 403',
      async (_, operation) => {
        const scopes = ['write:pets', 'read:pets', 'write:ads', 'read:ads'];
        const token = await services().grant({ service, scopes });
        await expectRefusal(operation, 403, (accept) =>
          sendAs(context, operation, { token, ...accept }),
        );
      },
    );

    const own = operations.filter(([, { login }]) => login?.startsWith('{'));
    if (own.length === 0) return;
    test.each(own)("%s refuses somebody else's login with 403", async (_, operation) => {
      const token = await services().grant({ service, kind: 'login', user: 'user1' });
      await expectRefusal(operation, 403, (accept) =>
        sendAs(context, operation, { token, ...accept }),
      );
    });
  });
};

/** Operations that need a credential. */
const isClosed = ({ security, login }: ContractOperation): boolean =>
  security.length > 0 || (login !== undefined && login !== 'optional');

const named = (operations: readonly ContractOperation[]): readonly Named[] =>
  operations.map((operation) => [operation.id, operation]);

/** Adds the cases of callers who are not let in: they change nothing. */
export const describeStrangers = (context: ContractContext): void => {
  describe.each(named(context.operations.filter(isClosed)))('%s', (_, operation) => {
    test.each<[string, Asked]>([
      ['no credentials', {}],
      ['an unknown token', unknownToken],
      ['an empty token', { headers: { Authorization: 'Bearer ' } }],
      ['another scheme', { headers: { Authorization: 'Basic ZGVtbzpkZW1vLXBhc3N3b3Jk' } }],
      ['a session cookie of no session', { headers: { Cookie: 'session=no-such-session' } }],
    ])('answers 401 with a challenge to %s', async (_title, credentials) => {
      const { headers } = await expectRefusal(operation, 401, (accept) =>
        sendAs(context, operation, { ...credentials, ...accept }),
      );
      const scheme = requiredScopes(operation).length > 0 || operation.login ? 'Bearer' : 'ApiKey';
      expect(headers['www-authenticate']).toMatch(
        new RegExp(`\\b${scheme} realm="${context.service}"`),
      );
    });

    test('says nothing of what is wrong with the request itself', async () => {
      const { text } = await expectRefusal(operation, 401, (accept) =>
        sendAs(context, operation, { ...accept, type: 'image/png', body: '{' }),
      );
      expect(text).not.toContain('errors');
    });
  });
};

/** Adds the cases of callers with a credential. */
export const describeAccess = (context: ContractContext): void => {
  const closed = context.operations.filter(isClosed);
  test.each(named(closed))('%s lets the right credential in', async (_, operation) => {
    const { status, text } = await send(context, operation);
    expect([status, text]).toEqual([operation.success.status, text]);
  });

  const open = context.operations.filter((operation) => !isClosed(operation));
  test.each(named(open))('%s lets anybody in, also with an unknown token', async (_, operation) => {
    for (const credentials of [{}, unknownToken]) {
      await context.services().reset();
      const { status, text } = await sendAs(context, operation, credentials);
      expect([status, text]).toEqual([operation.success.status, text]);
    }
  });

  describeScopes(context, named(closed.filter((one) => requiredScopes(one).length > 0)));
  describeKeys(context, named(closed.filter(takesKey)));
  describeLogins(context, named(closed.filter(({ login }) => login !== undefined)));
};
