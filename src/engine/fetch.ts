/** `spec-first/fetch`: a document and its handlers become a function of the Fetch API, for Hono, Next.js, Bun, Deno and workers. */

import type { ClientInfo } from '../http/caller';
import { type HttpRequest, targetBelow } from '../http/request';
import type { ApiDocument } from './document/api-document';
import { type AnyHandlers, openService, type RouterOptions } from './openapi-router';
import { type PlainResponse, respond } from './plain';
import type { SecurityHandlers } from './security/security-handlers';

/** The options of `openApiFetch`: those of `openApiRouter`, for requests that say less of their sender. */
export interface FetchOptions extends Omit<RouterOptions, 'clientOf'> {
  /** Finds the client of a request; without it the address is empty, and the URL tells whether TLS is used. */
  readonly clientOf?: (request: Request) => ClientInfo;
  /** The path that requests have before those of the document; that of its first server URL if left out. */
  readonly basePath?: string;
}

const headersOf = ({ headers, body }: Request): HttpRequest['headers'] => {
  const fields = Object.fromEntries(headers);
  // A request that was made by a program may announce its body by nothing but having it.
  const isAnnounced = body === null || 'content-length' in fields;
  return isAnnounced ? fields : { ...fields, 'transfer-encoding': 'chunked' };
};

async function* nothing(): AsyncGenerator<Uint8Array> {}

const streamOf = (texts: AsyncIterable<string>): ReadableStream<Uint8Array> => {
  const iterator = texts[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
};

const responseOf = ({ status, headers, body }: PlainResponse): Response => {
  const content =
    typeof body === 'object' && Symbol.asyncIterator in body ? streamOf(body) : (body ?? null);
  // A body without a length goes out in chunks; hosts say the length of a whole one themselves.
  return new Response(content, { status, headers: headers.map(([name, value]) => [name, value]) });
};

/**
 * Makes the function that answers requests of a document.
 * @param document its path (YAML or JSON), or what `loadApiDocument` or `parseApiDocument` made
 * @param handlers by operationId
 * @param securityHandlers find the owners of credentials
 * @throws Error if the document cannot be loaded at all; lesser problems are logged
 * @example export default { fetch: await openApiFetch('shop.yaml', { getItem: () => ({ status: 200, body: { id: 7 } }) }) };
 */
export const openApiFetch = async (
  document: string | ApiDocument,
  handlers: AnyHandlers,
  securityHandlers: SecurityHandlers = {},
  { clientOf, basePath, ...options }: FetchOptions = {},
): Promise<(request: Request) => Promise<Response>> => {
  const opened = await openService(document, handlers, securityHandlers, options);
  const { service } = opened;
  const base = basePath ?? opened.basePath;
  return async (request) => {
    const { protocol, pathname, search } = new URL(request.url);
    const target = targetBelow(base, pathname + search) ?? '';
    const client = (): ClientInfo =>
      clientOf?.(request) ?? { address: '', secure: protocol === 'https:' };
    const { method, body } = request;
    const plain = { method, target, headers: headersOf(request), body: body ?? nothing(), client };
    return responseOf(await respond(service.serve, plain));
  };
};
