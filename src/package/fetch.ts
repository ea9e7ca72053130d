/** `spec-first/fetch`: a document and its handlers become a function of the Fetch API, for Hono, Next.js, Bun, Deno and workers. */

import type { ApiDocument, SecurityHandlers } from '../engine';
import type { ClientInfo } from '../http/caller';
import { type PlainResponse, respond } from '../http/plain';
import { targetBelow } from '../http/request';
import {
  type AnyHandlers,
  type ContextOf,
  openService,
  type RouterOptions,
  requireKnownOptions,
} from './openapi-router';

/** The options of `openApiFetch`: those of `openApiRouter`, for requests that say less of their sender. */
export interface FetchOptions<Context = unknown> extends Omit<RouterOptions<Context>, 'clientOf'> {
  /** Finds the client of a request; without it the address is empty, and the URL tells whether TLS is used. */
  readonly clientOf?: (request: Request) => ClientInfo;
  /** The path that requests have before those of the document; that of its first server URL if left out. */
  readonly basePath?: string;
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Calls a function when the sender of the request leaves, or at once if it has left. */
const onAbort = (signal: AbortSignal, leave: () => void): void => {
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
};

/** Makes the bytes of a body, which fail when the sender leaves. */
const bytesOf = (body: ReadableStream<Uint8Array>, signal: AbortSignal) => ({
  get locked() {
    return body.locked;
  },
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    const reader = body.getReader();
    const cancel = () => reader.cancel(signal.reason);
    // What was read fails by itself, below.
    onAbort(signal, () => void cancel().catch(() => undefined));
    return {
      async next() {
        const { done, value } = await reader.read();
        signal.throwIfAborted();
        return done ? { done, value: undefined } : { done, value };
      },
      async return() {
        await cancel();
        return { done: true, value: undefined };
      },
    };
  },
});

const streamOf = (chunks: AsyncIterable<string | Uint8Array>, signal: AbortSignal) => {
  const iterator = chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  // A chunk is made when it is asked for.
  const strategy = { highWaterMark: 0 };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        onAbort(signal, () => {
          controller.error(signal.reason);
          void iterator.return?.();
        });
      },
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    strategy,
  );
};

const responseOf = ({ status, headers, body }: PlainResponse, signal: AbortSignal): Response => {
  const content =
    typeof body === 'object' && Symbol.asyncIterator in body
      ? streamOf(body, signal)
      : (body ?? null);
  // A body without a length goes out in chunks; hosts say the length of a whole one themselves.
  return new Response(content, { status, headers: headers.map(([name, value]) => [name, value]) });
};

/** Answers a request; the second argument is the host's own, for `context` and security handlers: Hono's `c`, or the `env` of a worker. */
export type Answer = (request: Request, host?: unknown) => Promise<Response>;

/**
 * Makes the function that answers requests of a document.
 * @param document its path (YAML or JSON), or what `loadApiDocument` or `parseApiDocument` made
 * @param handlers by operationId
 * @param securityHandlers find the owners of credentials
 * @throws Error if the document cannot be loaded at all; lesser problems are logged
 * @example export default { fetch: await openApiFetch('shop.yaml', { getItem: () => ({ status: 200, body: { id: 7 } }) }) };
 */
export const openApiFetch = async <Written extends AnyHandlers>(
  document: string | ApiDocument,
  handlers: Written,
  securityHandlers: SecurityHandlers = {},
  given: FetchOptions<ContextOf<Written>> = {},
): Promise<Answer> => {
  requireKnownOptions(given, ['basePath']);
  const { clientOf, basePath, ...options } = given;
  const service = await openService(document, handlers, securityHandlers, options);
  const base = basePath?.replace(/\/$/, '') ?? service.basePath;
  return async (request, host = request) => {
    const { protocol, pathname, search } = new URL(request.url);
    const target = targetBelow(base, pathname + search) ?? '';
    const client = (): ClientInfo =>
      clientOf?.(request) ?? { address: '', secure: protocol === 'https:' };
    const { method, signal } = request;
    const body = request.body === null ? nothing() : bytesOf(request.body, signal);
    const fields = Object.fromEntries(request.headers);
    // A request that was made by a program may announce its body by nothing but having it, or say a length that is none.
    const isAnnounced = request.body === null || Number(fields['content-length']) > 0;
    const chunked = { 'content-length': undefined, 'transfer-encoding': 'chunked' };
    const headers = isAnnounced ? fields : { ...fields, ...chunked };
    const plain = { method, target, headers, body, signal, client };
    return respond(service.serve, plain, { host }, (response) => responseOf(response, signal));
  };
};
