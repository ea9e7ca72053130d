/** Writes responses: the head, and a body that is whole or comes in chunks, no faster than the caller reads it. */

import { randomBytes } from 'node:crypto';
import { type IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { listElements } from '../base/text/list-elements';
import { isContentless } from '../model/operation';

/** By their names; a list is sent as repeated fields. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

// Responses depend on who asks, and some are secrets (RFC 6749 section 5.1): no cache stores one unless it says so itself.
const always = ['X-Content-Type-Options', 'nosniff', 'Cache-Control', 'no-store'];

/** A list of names and values goes out as it is; of an object node:http would first make one. */
type HeaderLines = readonly (string | string[])[];

/** Returns the place of a header; the end where it is not. Names are case-insensitive (RFC 9110 section 5.1). */
const placeOf = (name: string, lines: HeaderLines): number => {
  for (let at = 0; at < lines.length; at += 2) {
    const other = String(lines[at]);
    if (other.length === name.length && other.toLowerCase() === name.toLowerCase()) return at;
  }
  return lines.length;
};

const linesOf = (headers: ResponseHeaders): HeaderLines => {
  const lines: (string | string[])[] = [...always];
  for (const [name, value] of Object.entries(headers)) {
    lines.splice(placeOf(name, lines), 2, name, typeof value === 'string' ? value : [...value]);
  }
  return lines;
};

const sharedLines = new WeakMap<ResponseHeaders, HeaderLines>();

/** Makes headers that many responses have: the same object each time, so that their lines are made once. */
export const sharedHeaders = <Headers extends ResponseHeaders>(
  headers: Headers,
): Readonly<Headers> => {
  const shared = Object.freeze({ ...headers });
  sharedLines.set(shared, linesOf(shared));
  return shared;
};

/** Tells whether `sharedHeaders` made the object. */
export const isShared = (headers: object): boolean => sharedLines.has(headers as ResponseHeaders);

/** Returns the lines of a response's headers, and of those that every response has. */
export const headerLines = (headers: ResponseHeaders): HeaderLines =>
  sharedLines.get(headers) ?? linesOf(headers);

/** A response without its body. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
}

/** Tells whether a body follows the head; none follows the one that answers HEAD (RFC 9110 section 9.3.2). */
export const hasContent = (
  request: { readonly method?: string | undefined },
  { status }: Pick<ResponseHead, 'status'>,
): boolean => request.method !== 'HEAD' && !isContentless(status);

const hasBegun = (response: ServerResponse): boolean => response.headersSent || response.destroyed;

/** Joins values of Vary: each name once, and `*` stands for all (RFC 9110 section 12.5.5). */
export const joinVary = (...values: readonly (string | readonly string[])[]): string => {
  const names = values.flat().flatMap(listElements);
  const once = new Map(names.map((name) => [name.toLowerCase(), name]));
  return once.has('*') ? '*' : [...once.values()].join(', ');
};

/** Headers of messages and connections, which the server sets itself (RFC 9110 sections 6.6.1, 7.6.1 and 8.6). */
const serverHeaders =
  /^(?:connection|content-length|date|keep-alive|trailer|transfer-encoding|upgrade)$/i;

/** Tells whether the server sets the header, and a response cannot. */
export const isBuiltInHeader = (name: string): boolean => serverHeaders.test(name);

/** The header that marks the response of a mock. */
export const mockHeader = 'X-Mock';

/** The header that names a request, to its caller and in logs. */
export const requestIdHeader = 'X-Request-Id';

const requestId = Symbol('the id of the request');

/** A response with the id of its request: a property, since each entry of a WeakMap costs the garbage collector. */
type IdentifiedResponse = ServerResponse & { [requestId]?: string };

/** Names the request in the logs, and in the header X-Request-Id of its response. */
export const identify = (response: IdentifiedResponse, id: string): void => {
  response[requestId] = id;
};

/**
 * Makes the function that gives each request its id: what its host calls it, else what its header X-Request-Id says, else a new one,
 * which is cheaper than a UUID.
 */
export const requestIds = (): ((
  headers: Readonly<Record<string, unknown>>,
  given?: unknown,
) => string) => {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return (headers, given) => {
    const named = [given, headers['x-request-id']]
      .filter((id) => typeof id === 'string' || typeof id === 'number')
      // An id that is safe in a header, a log and a shell.
      .find((id) => /^[\w.~:/+=@-]{1,128}$/.test(String(id)));
    if (named !== undefined) return String(named);
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
};

/** Returns the id of a request; undefined if it has none. */
export const requestIdOf = (response: IdentifiedResponse): string | undefined =>
  response[requestId];

const writeHead = (
  response: ServerResponse,
  { status, headers }: ResponseHead,
  length: number | undefined,
): void => {
  const lines = [...headerLines(headers)];
  const vary = response.getHeader('Vary');
  if (vary !== undefined) {
    // Any other header replaces what middleware has set.
    const at = placeOf('Vary', lines);
    if (at < lines.length) lines[at + 1] = joinVary([vary].flat().map(String), lines[at + 1] ?? []);
  }
  const id = requestIdOf(response);
  if (id !== undefined && placeOf(requestIdHeader, lines) === lines.length) {
    lines.push(requestIdHeader, id);
  }
  // Only of a 205 nothing else tells that no content follows (RFC 9112 section 6.3).
  const size = isContentless(status) ? undefined : length;
  if (size !== undefined || status === 205) lines.push('Content-Length', String(size ?? 0));
  if (response.writeHead === ServerResponse.prototype.writeHead) {
    response.writeHead(status, lines);
    return;
  }
  // Middleware that wraps the function may not know such a list: on-headers before 1.1 makes headers of its letters.
  for (let index = 0; index < lines.length; index += 2) {
    response.setHeader(String(lines[index]), lines[index + 1] ?? '');
  }
  response.writeHead(status);
};

/** A text in chunks; the last comes with `done`. `return` ends its source at once, even while a chunk is awaited. */
export interface TextStream extends AsyncIterator<string, string> {
  return(): Promise<IteratorResult<string, string>>;
}

/** A body whose head and whose chunks, texts or bytes, go out as soon as they are there. `return` ends its source at once. */
export interface LiveStream extends AsyncIterableIterator<string | Uint8Array, undefined> {
  readonly isLive: true;
  /** In place of the Content-Type that the document declares; undefined to keep that one. */
  readonly contentType: string | undefined;
  return(): Promise<IteratorReturnResult<undefined>>;
}

type Body = string | Uint8Array | TextStream | LiveStream | undefined;

/** Tells whether a body goes out while it is made, chunk by chunk. */
export const isLiveStream = (body: Body): body is LiveStream =>
  typeof body === 'object' && 'isLive' in body;

/** Tells whether a body is a text in chunks. */
export const isTextStream = (body: Body): body is TextStream =>
  typeof body === 'object' && !(body instanceof Uint8Array) && !isLiveStream(body);

/**
 * Reads a text until it has 64 KiB, or its first chunk for HEAD: a source that fails at once can still be answered by an error.
 * @throws what the source fails with
 */
export const readBeginning = async (stream: TextStream, isHead: boolean) => {
  // Characters; a shorter text is sent as a whole.
  const longestBeginning = 64 * 1024;
  let text = '';
  do {
    const { done, value } = await stream.next();
    text += value;
    if (done) return { text, isWhole: true };
  } while (!isHead && text.length < longestBeginning);
  return { text, isWhole: false };
};

/** Yields the beginning, then the rest as it is made. */
export async function* textFrom(beginning: string, rest: TextStream): AsyncGenerator<string> {
  yield beginning;
  while (true) {
    // A source and a caller that are always ready would leave no turn to other requests.
    await setImmediate();
    const { done, value } = await rest.next();
    yield value;
    if (done) return;
  }
}

const sendWhole = (
  request: IncomingMessage,
  response: ServerResponse,
  head: ResponseHead,
  body: string | Uint8Array,
): void => {
  if (hasBegun(response)) return;
  const length = Buffer.byteLength(body);
  writeHead(response, head, length);
  if (!hasContent(request, head)) {
    response.end();
    return;
  }
  // A text of as many bytes as characters is ASCII, and can be copied as it is.
  const encoding = length === body.length ? 'latin1' : 'utf8';
  const { socket } = response;
  // A response that waits behind those to earlier requests has no connection yet.
  if (!socket?.writable) {
    response.end(body, encoding);
    return;
  }
  // `response.end(body)` would hand the kernel a list with an empty text behind the body: a tenth of what a short response takes.
  socket.cork();
  response.write(body, encoding);
  socket.uncork();
  response.end();
};

/**
 * Sends the head behind the first 64 KiB of the text (to a HEAD request, behind the first chunk), so that a source that fails at
 * once can still be answered by an error; then the text. One that is shorter is sent as a whole.
 */
const sendWhileMade = async (
  request: IncomingMessage,
  response: ServerResponse,
  head: ResponseHead,
  stream: TextStream,
): Promise<void> => {
  const { text, isWhole } = await readBeginning(stream, request.method === 'HEAD');
  if (isWhole) {
    sendWhole(request, response, head, text);
    return;
  }
  if (hasBegun(response)) return;
  writeHead(response, head, undefined);
  if (hasContent(request, head)) await pipeline(textFrom(text, stream), response);
  else response.end();
};

/** Sends the chunks as they come. If the stream fails, the connection is cut off behind its last chunk. */
const sendLive = async (
  request: IncomingMessage,
  response: ServerResponse,
  head: ResponseHead,
  stream: LiveStream,
): Promise<void> => {
  if (hasBegun(response)) return;
  writeHead(response, head, undefined);
  if (!hasContent(request, head)) {
    response.end();
    return;
  }
  response.flushHeaders();
  try {
    for await (const chunk of stream) {
      // A write to a connection that was reset fails before its `close` is heard.
      const isTaken = await new Promise<boolean>((resolve) => {
        response.write(chunk, (error) => resolve(!error));
      });
      if (!isTaken) return;
    }
  } catch (error) {
    response.destroy(error instanceof Error ? error : undefined);
    throw error;
  }
  response.end();
};

/** Sends a stream; ends its source when it has been sent, or as soon as the connection closes. */
const untilClosed = async (
  { socket }: IncomingMessage,
  stream: TextStream | LiveStream,
  sendAll: () => Promise<void>,
): Promise<void> => {
  let isClosed = socket.destroyed;
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    close = () => {
      isClosed = true;
      resolve();
    };
  });
  // Node does not close a response that waits behind another; a connection may have any number of these.
  socket.setMaxListeners(0).once('close', close);
  try {
    if (!isClosed) await Promise.race([closed, sendAll()]);
  } catch (error) {
    if (!isClosed) throw error;
  } finally {
    socket.off('close', close);
    await stream.return();
  }
};

/** A response, ready to be sent. */
export interface HttpResponse extends ResponseHead {
  /** Undefined: a response without content. */
  readonly body: Body;
}

/**
 * Sends the response. A HEAD request gets the headers alone (RFC 9110 section 9.3.2). Does nothing once the response has
 * begun or the connection is closed; the source of a stream ends as soon as that closes.
 *
 * @throws what a source fails with; once the head has been sent, the connection is cut off, so that the caller does not take
 * the beginning for the whole
 */
export const send = async (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body = '' }: HttpResponse,
): Promise<void> => {
  const head = { status, headers };
  if (isLiveStream(body)) {
    await untilClosed(request, body, () => sendLive(request, response, head, body));
  } else if (isTextStream(body)) {
    await untilClosed(request, body, () => sendWhileMade(request, response, head, body));
  } else {
    sendWhole(request, response, head, body);
  }
};
