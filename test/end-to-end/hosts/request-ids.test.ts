/** The lines that a request leaves in the log carry its id in every host: the host's own, the caller's, or a new one. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { HttpError, parseApiDocument } from '../../../src/package';
import { hostNames, startHost } from './start-host';

const text = `
openapi: 3.1.0
info: { title: Things, version: '1' }
servers: [{ url: /v1 }]
paths:
  /things:
    get:
      operationId: getThing
      security: [{ key: [] }]
      responses: { '200': { description: A text, content: { text/plain: {} } } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: x-key } }
`;

interface Line {
  readonly requestId?: unknown;
  readonly message: string;
}

const lines: Line[] = [];
beforeEach(() => void lines.splice(0));
const write = (fields: object, message: string) => void lines.push({ ...fields, message });

/** The ids that hosts have of themselves, as the handler sees them. */
let idOfHost: unknown;
let idOfClient: unknown;

const service = () => ({
  document: parseApiDocument('things.yaml', text),
  handlers: {
    getThing: ({ client }: { client: { requestId?: string; host?: unknown } }) => {
      idOfHost = Reflect.get(Object(client.host), 'id');
      idOfClient = client.requestId;
      throw new Error('It failed');
    },
  },
  securityHandlers: {
    apiKey: () => ({ username: undefined, subject: 'me', scopes: [], credentialId: 'k' }),
  },
  options: {
    replaceError: () => {
      throw new HttpError(500, 'internal', 'Nor can it be replaced');
    },
    log: { error: write, step: write },
  },
});

describe.each(hostNames)('%s', (host) => {
  const { ask } = startHost(host, service);
  const idsFor = async (headers: Record<string, string>) => {
    lines.length = 0;
    expect((await ask('/v1/things', { headers: { 'x-key': 'k', ...headers } })).status).toBe(500);
    return [...new Set(lines.map(({ requestId }) => requestId))];
  };

  test.each([
    ['that the caller gives', 'abc-1/2=', host === 'fastify' ? /^req-/ : /^abc-1\/2=$/],
    [
      'in place of one that is not safe in a log',
      'a b"',
      host === 'fastify' ? /^req-/ : /^[0-9a-f]{12}-\w+$/,
    ],
  ])('every line has the id %s', async (_which, given, expected) => {
    const [id, ...others] = await idsFor({ 'x-request-id': given });
    expect([id, others]).toEqual([expect.stringMatching(expected), []]);
    expect(idOfClient).toBe(id);
    if (host === 'fastify') expect(id).toBe(idOfHost);
    expect(lines.map(({ message }) => message)).toEqual([
      'Operation found',
      'Security scheme tried',
      'Request authorized',
      'Response can be written',
      'Parameters read',
      'Request refused',
      'The server failed to answer this request',
      'replaceError failed',
    ]);
  });

  test('requests have ids of their own', async () => {
    expect(await idsFor({})).not.toEqual(await idsFor({}));
  });
});
