/** Handlers of safe methods run with what a security handler took for granted; responses wait until that is confirmed. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import type { SecurityHandler } from '../../../../src/engine/security/security-handlers';
import { serveDocument } from '../../../support/serve-document';

/** What the security handler finds: at first by memory, and then by looking it up. */
let remembered: string | undefined;
let lookUp: () => Promise<string | undefined>;
/** What was done, in order. */
let steps: string[] = [];

const principal = (subject: string) => ({
  ...{ subject, username: undefined, scopes: [] },
  credentialId: subject,
});

const apiKey: SecurityHandler<string> = async (_key, request) => {
  const known = remembered;
  const isStillTrue = async () => {
    const found = await lookUp();
    steps.push('looked up');
    return found === known;
  };
  if (known !== undefined && request.confirmLater?.(isStillTrue)) return principal(known);
  const found = await lookUp();
  steps.push('waited');
  return found === undefined ? undefined : principal(found);
};

const responses = {
  200: { description: 'Fine', content: { 'text/plain': { schema: { type: 'string' } } } },
  404: { description: 'Nothing there' },
};
const security = [{ key: [] }];

const serve = () =>
  serveDocument({
    document: {
      paths: {
        '/thing': {
          get: { operationId: 'read', security, responses },
          post: { operationId: 'change', security, responses },
        },
        '/missing': { get: { operationId: 'readMissing', security, responses } },
      },
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    },
    handlers: {
      read: ({ principal: caller }) => {
        steps.push(`read by ${caller?.subject}`);
        return { status: 200, body: caller?.subject };
      },
      change: ({ principal: caller }) => {
        steps.push(`changed by ${caller?.subject}`);
        return { status: 200, body: caller?.subject };
      },
      readMissing: ({ fail }) => {
        throw fail(404);
      },
    },
    securityHandlers: { apiKey },
  });

let url = '';
beforeEach(async () => {
  ({ url } = await serve());
  steps = [];
});

const ask = async (method: string, path: string, accept = '*/*') => {
  const headers = { 'X-Key': 'secret', Accept: accept };
  const response = await fetch(`${url}${path}`, { method, headers });
  return { status: response.status, text: await response.text() };
};

describe('a caller who is remembered', () => {
  test('is read for at once, and answered when that is confirmed', async () => {
    remembered = 'ann';
    lookUp = async () => 'ann';
    expect(await ask('GET', '/thing')).toEqual({ status: 200, text: 'ann' });
    expect([...steps].sort()).toEqual(['looked up', 'read by ann']);
  });

  test.each([
    ['the response', '/thing', '*/*'],
    ['a declared failure', '/missing', '*/*'],
    ['that no format fits', '/thing', 'image/png'],
  ])('and is not good any more is not told %s', async (_, path, accept) => {
    remembered = 'ann';
    lookUp = async () => undefined;
    expect((await ask('GET', path, accept)).status).toBe(401);
  });

  test('and is somebody else by now gets the other response', async () => {
    remembered = 'ann';
    lookUp = async () => 'ben';
    expect(await ask('GET', '/thing')).toEqual({ status: 200, text: 'ben' });
    expect(steps.at(-1)).toBe('read by ben');
  });

  test('gets nothing where that cannot be found out', async () => {
    remembered = 'ann';
    lookUp = () => Promise.reject(new Error('The database is away'));
    expect((await ask('GET', '/thing')).status).toBe(500);
  });

  test('changes nothing before it is known', async () => {
    remembered = 'ann';
    lookUp = async () => undefined;
    expect((await ask('POST', '/thing')).status).toBe(401);
    expect(steps).toEqual(['waited']);
  });
});
