/** Our engine under test: it serves documents in this process, by handlers that echo or reply. */

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { listen } from '../../src/http/listening';
import {
  openApiRouter,
  type Principal,
  parseApiDocument,
  type SecurityHandlers,
  type UntypedHandler,
} from '../../src/package';
import { casesFolder, type Reply } from './cases';
import type { Subject } from './run-cases';

const callers: Readonly<Record<string, { caller: string; scopes: string[] }>> = JSON.parse(
  readFileSync(join(casesFolder, 'callers.json'), 'utf8'),
);

const callerOf = async (credential: string): Promise<Principal | undefined> => {
  const { caller: subject = '', scopes = [] } = callers[credential] ?? {};
  if (subject === '') return undefined;
  return { username: undefined, subject, scopes, credentialId: subject };
};

const securityHandlers: SecurityHandlers = {
  apiKey: callerOf,
  bearer: callerOf,
  basic: ({ username, password }) => callerOf(`${username}:${password}`),
};

/** Octets of any depth become base64. */
const encoded = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(encoded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, encoded(item)]));
};

/** Collects the items of a body that comes item by item. */
const collected = async (body: unknown): Promise<unknown> => {
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return body;
  const items: unknown[] = [];
  for await (const item of body as AsyncIterable<unknown>) items.push(item);
  return items;
};

const readDocument = (text: string) => {
  try {
    return parseApiDocument('case.yaml', text);
  } catch {
    return undefined;
  }
};

/** Makes the server under test. */
export const ourEngine = (): Subject => {
  let given: Reply | undefined;
  let served: Server | undefined;
  const stop = (): void => {
    served?.closeAllConnections();
    served?.close();
  };
  const handlerOf =
    (operation: string): UntypedHandler =>
    async ({ path, query, querystring, cookie, principal, ...rest }) => {
      const header = Object.fromEntries(
        Object.entries(rest.header).map(([name, value]) => [name.toLowerCase(), value]),
      );
      const caller = principal?.subject;
      const body = await collected(rest.body);
      const echo = { operation, caller, path, query, querystring, header, cookie, body };
      return given ?? { status: 200, body: encoded(echo) };
    };
  return {
    server: 'spec-first',
    cannot: {},
    stop,
    faultsOf: (body) =>
      JSON.parse(body).errors.map(({ in: place = '', path = '' }) => `${place} ${path}`.trim()),
    reply: async (reply) => {
      given = reply;
    },
    serve: async (text) => {
      stop();
      const document = readDocument(text);
      if (document === undefined) return undefined;
      const ids = document.operations.flatMap(({ operationId }) => operationId ?? []);
      const handlers = Object.fromEntries(ids.map((id) => [id, handlerOf(id)]));
      const router = await openApiRouter(document, handlers, securityHandlers, {
        validateResponses: true,
        log: { error: () => undefined },
      });
      served = createServer(router);
      return listen(served, 0, '127.0.0.1');
    },
  };
};
