/** Uses the types of every entry point; it is compiled as a module of ECMAScript and as one of CommonJS. */

import { createServer, type Server } from 'node:http';
import {
  type Handlers,
  HttpError,
  loadApiDocument,
  openApiRouter,
  openApiWebhooks,
  type SecurityHandlers,
} from 'spec-first';
import { openApiPlugin } from 'spec-first/fastify';
import { openApiFetch } from 'spec-first/fetch';
import { mcpFetch } from 'spec-first/mcp';
import { testContract } from 'spec-first/test';

/** As the generated types of a document describe an operation. */
interface ItemOperations {
  getItem: {
    path: { id: bigint };
    query: { times?: number };
    response: { status: 200; body: { id: bigint } } | { status: 404; body: { message?: string } };
  };
}

interface Webhooks {
  itemSold: {
    header: { 'X-Seen'?: string };
    body: { id: bigint };
    response: { status: 204 };
  };
}

const handlers: Handlers<ItemOperations> = {
  getItem: ({ path, query, fail }) => {
    if (path.id > 5n) throw fail(404);
    if (query.times === 3) throw new HttpError(429, 'too-many-requests', 'Too many');
    return { status: 200, body: { id: path.id } };
  },
};

const securityHandlers: SecurityHandlers = {
  apiKey: async (key: string) =>
    key === 'k'
      ? { username: undefined, subject: 'me', scopes: [], credentialId: 'key' }
      : undefined,
};

export const useAll = async (): Promise<number> => {
  const router = await openApiRouter('items.yaml', handlers, securityHandlers, { mocks: true });
  const server: Server = createServer(router).listen(0);
  const answer = await openApiFetch('items.yaml', handlers, securityHandlers);
  const response: Response = await answer(new Request('http://localhost/items/1'));
  const document = await loadApiDocument('items.yaml');
  const message = openApiWebhooks<Webhooks>(document)('itemSold', 'http://localhost', {
    body: { id: 1n },
  });
  const told: Response = await fetch(message.url, message);
  const mcp = mcpFetch(document, answer);
  const listed: Response = await mcp(new Request('http://localhost/mcp', { method: 'POST' }));
  const report = await testContract({ document: 'items.yaml', listener: router });
  server.close();
  return (
    report.failures.length + told.status + response.status + listed.status + openApiPlugin.length
  );
};
