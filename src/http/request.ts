/** Requests: their heads (RFC 9112 section 3.2), and their bodies, received decompressed and within bounds. */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { finished, PassThrough, Readable, type Transform } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { normalPath } from '../base/text/normal-path';
import type { ClientInfo } from './caller';
import { codingsIn } from './content-coding';
import { asHttpError, HttpError, unavailable } from './http-error';

/**
 * A request, as its host gives it to the engine.
 * @example { method: 'GET', target: '/items?limit=5', headers: { accept: 'application/json' }, body: [], client }
 */
export interface HttpRequest {
  /** As it was sent: case matters. */
  readonly method: string;
  /** The path and the query, relative to the base path. */
  readonly target: string;
  /** By their names in lower case. Content-Length or Transfer-Encoding announce a body, as they do in HTTP/1.1. */
  readonly headers: IncomingHttpHeaders;
  /** The bytes that follow. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Aborts when the sender has left, where the host can tell. */
  readonly signal?: AbortSignal | undefined;
  /** Identifies the sender. */
  client(): ClientInfo;
}

/** A request without its body. */
export type RequestHead = Pick<HttpRequest, 'method' | 'headers'>;

/** Returns the path and query of a target, which may come in absolute form (RFC 9112 section 3.2.2). */
export const originForm = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');

/** Returns the target below the base path; undefined if it lies elsewhere. */
export const targetBelow = (basePath: string, target: string): string | undefined => {
  if (basePath === '') return target;
  const url = originForm(target);
  const steps = () => url.split('?', 1).join('').split('/', basePath.split('/').length);
  const base = url.startsWith(basePath) ? basePath : steps().join('/');
  const rest = url.slice(base.length);
  return normalPath(base) === normalPath(basePath) && /^(?:[/?]|$)/.test(rest)
    ? rest.replace(/^(?!\/)/, '/')
    : undefined;
};

/** Splits a target into the raw path and the raw query without `?`. */
export const splitTarget = (target: string): { readonly path: string; readonly query: string } => {
  const url = originForm(target);
  const mark = url.indexOf('?');
  return mark < 0
    ? { path: url, query: '' }
    : { path: url.slice(0, mark), query: url.slice(mark + 1) };
};

const malformed = (message: string): HttpError => new HttpError(400, 'malformed-request', message);

/** RFC 9112 section 3.2: one Host field, which HTTP/1.0 may leave out. */
const hostFieldFault = ({ headers, rawHeaders, httpVersion }: IncomingMessage) => {
  // An authority (RFC 3986 section 3.2) without user information; a Host field may be empty.
  const authority = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;
  // Of repeated fields `headers` keeps the first alone.
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  if (count > 1) return malformed('The request has more than one Host');
  if (count === 0) return httpVersion === '1.0' ? undefined : malformed('The request has no Host');
  return authority.test(headers.host ?? '') ? undefined : malformed('The Host header is invalid');
};

/** RFC 9112 section 3.2: a path, an absolute URL, or for OPTIONS `*`. */
const targetFault = ({ url = '', method }: IncomingMessage) => {
  // An http URL without user information, which is not to be trusted (RFC 9110 section 4.2.4).
  const absolute = /^https?:\/\/[^/?#@\\]+(?:[/?]|$)/i;
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return undefined;
  return absolute.test(url) && URL.canParse(url)
    ? undefined
    : malformed('The request target must be a path or an http URL');
};

/** RFC 9112 section 6.1: a body in another coding would be taken for what it is not; HTTP/1.0 has no codings. */
const codingFault = ({ headers, httpVersion }: IncomingMessage) => {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  if (httpVersion === '1.0') return malformed('HTTP/1.0 has no Transfer-Encoding');
  return coding.trim().toLowerCase() === 'chunked'
    ? undefined
    : new HttpError(501, 'not-implemented', 'The Transfer-Encoding must be chunked');
};

/** Finds what is wrong with a head: 400, or 501 for a transfer coding. */
export const headFault = (request: IncomingMessage): HttpError | undefined => {
  if (request.httpVersionMajor !== 1) return malformed('The request is not HTTP/1.1');
  return hostFieldFault(request) ?? targetFault(request) ?? codingFault(request);
};

/** Tells from the head whether a body follows (RFC 9112 section 6). */
export const bodyAnnounced = ({ headers }: Pick<RequestHead, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Tells whether a method is safe (RFC 9110 section 9.2.1, RFC 10008 section 2). */
export const isSafeMethod = (method = ''): boolean =>
  /^(?:GET|HEAD|OPTIONS|TRACE|QUERY)$/.test(method);

/** The bytes that the bodies of all requests hold, from their first bytes until the response is sent. */
export interface BodyMemory {
  /** Throws a 503 with Retry-After when there is no room for so many bytes; counts nothing. */
  requireRoom(bytes: number): void;
  /** Counts the bytes for the request; throws as `requireRoom` does. */
  hold(request: object, bytes: number): void;
  release(request: object): void;
  /**
   * To be awaited before a large body is parsed: each gets a turn of the event loop for itself, so that a short request
   * waits for one of them and not for all.
   */
  turn(): Promise<void>;
}

const held = Symbol('bytes that a request holds');
type HoldingRequest = { [held]?: number };

/** Bytes of a large body: parsing one may take some milliseconds. */
export const largeBody = 32 * 1024;

/**
 * Makes a bound.
 * @param most bytes of all bodies together
 */
export const bodyMemory = (most: number): BodyMemory => {
  let all = 0;
  let lastTurn: Promise<void> = Promise.resolve();
  const requireRoom = (bytes: number): void => {
    if (all + bytes <= most) return;
    throw unavailable('Too many bodies are being received. Try again in a moment.', 1);
  };
  return {
    requireRoom,
    hold(request: HoldingRequest, bytes) {
      requireRoom(bytes);
      all += bytes;
      request[held] = (request[held] ?? 0) + bytes;
    },
    release(request: HoldingRequest) {
      all -= request[held] ?? 0;
      request[held] = 0;
    },
    turn() {
      lastTurn = lastTurn.then(() => setImmediate());
      return lastTurn;
    },
  };
};

/** The bounds of one body. */
export interface BodyBounds {
  /** Bytes, after decompression. */
  readonly limit: number;
  readonly memory: BodyMemory;
}

interface BodyReceiver {
  take(bytes: Uint8Array): void;
  /** @param size bytes in all */
  end(size: number): void;
  /** The body cannot be received: 400, 413, 415 or 503. Nothing else is called afterwards. */
  fail(error: HttpError): void;
}

const decompressors: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Finds what undoes the Content-Encoding; undefined where there is none. Throws the 415 for one that is not known, and for several. */
const decompressorFor = (request: HttpRequest): (() => Transform) | undefined => {
  const { 'content-encoding': field } = request.headers;
  if (field === undefined) return undefined;
  const [name, ...others] = codingsIn(field);
  if (name === undefined) return undefined;
  const decompressor = others.length === 0 ? decompressors.get(name) : undefined;
  if (decompressor !== undefined) return decompressor;
  const codings = [...decompressors.keys()].join(', ');
  const message = `The body must have one Content-Encoding of ${codings}, or none`;
  // Only refusals for a coding have it (RFC 9110 section 12.5.3).
  const headers = { 'Accept-Encoding': codings };
  throw new HttpError(415, 'unsupported-media-type', message, { headers });
};

/** Returns the body as the stream that it is, or a stream of its bytes. Throws where nothing is left of it to read. */
const streamOf = ({ body }: HttpRequest): Readable => {
  if (body instanceof Readable ? body.readableEnded : 'locked' in body && body.locked) {
    const cause = new Error(
      'The body was read before the engine got the request: remove what reads it, such as express.json()',
    );
    throw asHttpError(cause);
  }
  return body instanceof Readable ? body : Readable.from(body, { objectMode: false });
};

/** Bytes that a chunk of a body takes beside its content, and those of a decompressor. */
const chunkOverhead = 128;
const decompressorOverhead = 256 * 1024;

/** Reads the rest of a connection's body and drops it, so that the response reaches a client that is still sending; ends any other. */
const drop = ({ body }: HttpRequest, sent: Readable, source: Readable): void => {
  sent.unpipe();
  if (source !== sent) source.destroy();
  if (sent === body) sent.resume();
  else sent.destroy();
};

const unreadable = (cause: unknown): HttpError =>
  new HttpError(400, 'malformed-request', 'The body could not be read', { cause });

const requireSize = (bytes: number, { limit }: BodyBounds): void => {
  if (bytes <= limit) return;
  throw new HttpError(413, 'body-too-large', `The body is larger than ${limit} bytes`);
};

/**
 * Opens a body: as it is sent, and as it is received. Nothing has been read where the head alone is refused, so that a client that
 * waits for 100 Continue gets none.
 */
const openBody = (request: HttpRequest, bounds: BodyBounds) => {
  const decompressing = decompressorFor(request);
  const length = Number(request.headers['content-length'] ?? 0);
  requireSize(length, bounds);
  bounds.memory.requireRoom(length);
  if (decompressing) bounds.memory.hold(request, decompressorOverhead);
  const sent = streamOf(request);
  return { sent, source: decompressing === undefined ? sent : sent.pipe(decompressing()) };
};

/**
 * Receives a body chunk by chunk. `release` frees the memory that it holds. It listens to events: to read a short body by
 * `for await` takes 1 µs of the processor's time more, and leaving that loop would end the connection before the response.
 * @returns the function that stops it: the receiver is called no more
 */
export const receiveBody = (
  request: HttpRequest,
  bounds: BodyBounds,
  receiver: BodyReceiver,
): (() => void) => {
  let body: ReturnType<typeof openBody>;
  try {
    body = openBody(request, bounds);
  } catch (error) {
    receiver.fail(asHttpError(error));
    return () => undefined;
  }
  const { sent, source } = body;
  let [chunks, sentBytes, size] = [0, 0, 0];
  let isOver = false;
  const stop = (): void => {
    if (isOver) return;
    isOver = true;
    drop(request, sent, source);
  };
  const fail = (error: unknown): void => {
    if (isOver) return;
    stop();
    receiver.fail(asHttpError(error));
  };
  const countSent = (bytes: Buffer): void => {
    chunks += 1;
    sentBytes += bytes.length;
    // Each chunk takes some microseconds: a body of small chunks may have no more of them than a large body has.
    if (isOver || chunks <= 1000 + sentBytes / 32) return;
    fail(new HttpError(400, 'malformed-request', 'The body comes in too many small pieces'));
  };
  const receive = (bytes: Buffer): void => {
    if (isOver) return;
    try {
      size += bytes.length;
      requireSize(size, bounds);
      bounds.memory.hold(request, bytes.length + chunkOverhead);
      receiver.take(bytes);
    } catch (error) {
      fail(error);
    }
  };
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    receiver.end(size);
  };
  const breakOff = (cause?: Error | null): void => {
    if (!isOver) fail(unreadable(cause));
  };
  sent.on('data', countSent);
  source.on('data', receive);
  if (source === sent) {
    // The events that `finished` hears of such a stream, without the dozen listeners that it adds.
    sent.on('end', end).on('error', breakOff).on('close', breakOff);
    if (sent.destroyed) breakOff();
  } else {
    finished(source, (error) => (error ? breakOff(error) : end()));
    // A client that goes away ends the request, but not its decompressor.
    finished(sent, (error) => error && breakOff(error));
  }
  return stop;
};

/**
 * Reads a whole body. Rejects with an HttpError: 413 past the limit, 415 for an unknown Content-Encoding, 503 without room, 400
 * otherwise.
 */
export const readBytes = (request: HttpRequest, bounds: BodyBounds): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    receiveBody(request, bounds, {
      take: (bytes) => void chunks.push(bytes),
      end() {
        const [only = new Uint8Array(), ...more] = chunks;
        resolve(more.length === 0 ? only : Buffer.concat(chunks));
      },
      fail: reject,
    });
  });

const inPieces = Symbol('a body whose pieces are asked for');

/** Tells whether a body is read no faster than its pieces are asked for, so that its sender cannot be blamed for the time. */
export const isReadInPieces = (body: object): boolean => inPieces in body;

/** A body that comes in pieces, no faster than they are asked for. */
export interface BodyPieces {
  /** Fails with an HttpError: 400 if the body breaks off, 503 without room. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Drops what has not been read. */
  stop(): void;
}

/**
 * Begins to receive a body of any size.
 * @param held returns the bytes of earlier pieces that are still needed
 * @throws HttpError of 415 for an unknown Content-Encoding
 */
export const bodyPieces = (
  request: HttpRequest,
  memory: BodyMemory,
  held: () => number,
): BodyPieces => {
  const decompressing = decompressorFor(request);
  const overhead = chunkOverhead + (decompressing ? decompressorOverhead : 0);
  const sent = Object.assign(streamOf(request), { [inPieces]: true });
  // A stream of its own, since ending that of the connection would end the connection.
  const source = sent.pipe(decompressing?.() ?? new PassThrough());
  // A client that goes away ends the request, but not what reads it.
  finished(sent, (error) => error && source.destroy(error));
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      for await (const bytes of source) {
        memory.release(request);
        memory.hold(request, held() + bytes.length + overhead);
        yield bytes;
      }
    } catch (error) {
      throw error instanceof HttpError ? error : unreadable(error);
    }
  }
  return {
    pieces: pieces(),
    stop() {
      if (!sent.readableEnded) drop(request, sent, source);
    },
  };
};
