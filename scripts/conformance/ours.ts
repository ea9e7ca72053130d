/** Our engine as the subject of cases: a document is served in this process, by handlers that echo or reply. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  openApiRouter,
  type Principal,
  parseApiDocument,
  type SecurityHandlers,
  type UntypedHandler,
} from '../../src/engine';
import type { Reply } from './cases';

/** A server under test. */
export interface Subject {
  readonly name: string;
  /** Why it cannot be judged by the rules whose ids begin so. */
  readonly cannot: Readonly<Record<string, string>>;
  /** Serves a document; the origin, or undefined where the document is refused. */
  serve(document: string): Promise<string | undefined>;
  /** Says what handlers give back from now on: an echo unless a reply is given. */
  reply(reply: Reply | undefined): Promise<void>;
  close(): Promise<void>;
}

const callerOf = (subject: string, ...scopes: string[]): Principal => ({
  username: undefined,
  subject,
  scopes,
  credentialId: subject,
});

/** The credentials of the cases' README. */
const callers: ReadonlyMap<string, Principal> = new Map(
  [
    ['good-key', callerOf('key')] as const,
    ['reader', callerOf('reader', 'read')] as const,
    ['writer', callerOf('writer', 'read', 'write')] as const,
    ['auditor', callerOf('auditor', 'audit')] as const,
    ['nobody', callerOf('nobody')] as const,
    ['ann pass:word', callerOf('ann')] as const,
    ['eve pass:word', callerOf('eve', 'write')] as const,
  ],
);

const securityHandlers: SecurityHandlers = {
  apiKey: async (key) => callers.get(key),
  bearer: async (token) => callers.get(token),
  basic: async ({ username, password }) => callers.get(`${username} ${password}`),
};

/** Octets of any depth become base64. */
const encoded = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(encoded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, encoded(item)]));
};

const lowerCased = (header: object): object =>
  Object.fromEntries(Object.entries(header).map(([name, value]) => [name.toLowerCase(), value]));

/** Makes the subject. */
export const ourEngine = (): Subject => {
  let next: Reply | undefined;
  let served: Server | undefined;
  const close = async (): Promise<void> => {
    served?.closeAllConnections();
    served?.close();
  };
  return {
    name: 'spec-first',
    cannot: {},
    close,
    reply: async (reply) => {
      next = reply;
    },
    serve: async (text) => {
      await close();
      let document: ReturnType<typeof parseApiDocument>;
      try {
        document = parseApiDocument('case.yaml', text);
      } catch {
        return undefined;
      }
      const handlers = document.operations.map(({ operationId = '' }) => {
        const handler: UntypedHandler = ({ path, query, header, cookie, body, principal }) =>
          next ?? {
            status: 200,
            body: encoded({
              ...{ operation: operationId, caller: principal?.subject },
              ...{ path, query, cookie, body, header: lowerCased(header) },
            }),
          };
        return [operationId, handler] as const;
      });
      const router = await openApiRouter(document, Object.fromEntries(handlers), securityHandlers, {
        validateResponses: true,
        log: { error: () => undefined },
      });
      served = createServer(router).listen(0, '127.0.0.1');
      await once(served, 'listening');
      return `http://127.0.0.1:${(served.address() as AddressInfo).port}`;
    },
  };
};
