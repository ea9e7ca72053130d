/** The option `context` in every host: what it makes of the host's request reaches handlers and hooks, and its failures are answered. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Handlers,
  HttpError,
  openApiRouter,
  parseApiDocument,
  type RouterOptions,
} from '../../../src/package';
import { hostNames, startHost, userOf } from './start-host';

const text = `
openapi: 3.1.0
info: { title: Things, version: '1' }
servers: [{ url: /v1 }]
paths:
  /things/{id}:
    get:
      operationId: getThing
      security: [{ key: [] }]
      parameters: [{ name: id, in: path, required: true, schema: { type: integer, format: int32 } }]
      responses:
        '200': { description: A text, content: { text/plain: { schema: { type: string } } } }
        '409': { description: Busy now, content: { application/json: {} } }
  /later: { get: { operationId: later, responses: { '200': { description: Not written yet } } } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: x-key } }
`;

interface Context {
  readonly user: unknown;
  readonly tenant: string;
}

interface Operations {
  readonly getThing: {
    readonly path: { readonly id: number };
    readonly principal: 'required';
    readonly response: { readonly status: 200; readonly body: string } | { readonly status: 409 };
  };
}

const handlers: Handlers<Operations, Context> = {
  getThing: ({ context: { user, tenant }, principal }) => ({
    status: 200,
    body: `${user} of ${tenant}, ${principal.subject}`,
  }),
};

/** The steps that a request has come to. */
const steps: string[] = [];
const errors: string[] = [];
beforeEach(() => {
  steps.length = 0;
  errors.length = 0;
});

const makeContext: RouterOptions<Context>['context'] = async ({ path, principal }, host) => {
  const id = path['id'];
  steps.push(`context of ${id} for ${principal?.subject}`);
  if (id === 1) throw new HttpError(409, 'declared', 'Busy');
  if (id === 2) throw new Error('No connection is left');
  return { user: userOf(host), tenant: 'north' };
};

const service = () => ({
  document: parseApiDocument('things.yaml', text),
  handlers,
  securityHandlers: {
    apiKey: (key: string, { host }: { readonly host?: unknown }) => {
      steps.push(`key of ${userOf(host)}`);
      const owner = { username: undefined, subject: key, scopes: [], credentialId: 'k' };
      return key === 'wrong' ? undefined : owner;
    },
  },
  options: {
    context: makeContext,
    before: ({ request }: { readonly request: { readonly context?: unknown } }) =>
      void steps.push(`before with ${JSON.stringify(request.context)}`),
    log: { error: (_fields: object, message: string) => void errors.push(message) },
  },
});

interface Case {
  readonly name: string;
  readonly path: string;
  readonly key?: string;
  readonly status: number;
  readonly body: RegExp;
  readonly steps: readonly string[];
  readonly errors?: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: 'comes after security and reading, and before hooks and the handler',
    path: '/v1/things/7',
    status: 200,
    body: /^ann of north, k$/,
    steps: ['key of ann', 'context of 7 for k', 'before with {"user":"ann","tenant":"north"}'],
  },
  {
    name: 'is not made for a request without a good credential',
    path: '/v1/things/7',
    key: 'wrong',
    status: 401,
    body: /not valid/,
    steps: ['key of ann'],
  },
  {
    name: 'is not made for a request that does not fit',
    path: '/v1/things/x',
    status: 400,
    body: /"path":"id"/,
    steps: ['key of ann'],
  },
  {
    name: 'is not made for an operation without a handler',
    path: '/v1/later',
    status: 501,
    body: /later is not implemented/,
    steps: [],
    errors: ['later is not implemented'],
  },
  {
    name: 'that fails as declared is answered so',
    path: '/v1/things/1',
    status: 409,
    body: /Busy now/,
    steps: ['key of ann', 'context of 1 for k'],
  },
  {
    name: 'that fails is answered 500 and logged',
    path: '/v1/things/2',
    status: 500,
    body: /^(?!.*connection)/,
    steps: ['key of ann', 'context of 2 for k'],
    errors: ['The server failed to answer this request'],
  },
];

describe.each(hostNames)('in %s, a context', (host) => {
  const { ask } = startHost(host, service);

  test.each(cases)('$name', async ({ path, key = 'k', status, body, ...expected }) => {
    errors.length = 0;
    const response = await ask(path, { headers: { 'x-key': key, 'x-user': 'ann' } });
    expect([response.status, await response.text()]).toEqual([status, expect.stringMatching(body)]);
    expect(steps).toEqual(expected.steps);
    expect(errors).toEqual(expected.errors ?? []);
  });
});

test('a router takes no context of another type than its handlers expect', async () => {
  const { document, securityHandlers, options } = service();
  const context = () => ({ user: 'ann' });
  // @ts-expect-error The tenant is missing
  const router = await openApiRouter(document, handlers, securityHandlers, { ...options, context });
  expect(router.basePath).toBe('/v1');
});
