/** Hands on the bytes of a request's body as they come: inflated, counted, and dropped once nobody wants them. */

import type { IncomingMessage } from 'node:http';
import { finished, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { BodyMemory } from './body-memory';
import { asHttpError, HttpError } from './http-error';

interface BodyReceiver {
  take(bytes: Uint8Array): void;
  /** @param size bytes in all */
  end(size: number): void;
  /** The body cannot be received: 400, 413, 415 or 503. Nothing else is called afterwards. */
  fail(error: HttpError): void;
}

const inflaters: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

const codingOf = ({ headers }: IncomingMessage): string =>
  (headers['content-encoding'] ?? 'identity').toLowerCase();

/** The body without its Content-Encoding. */
const inflated = (request: IncomingMessage): Readable => {
  const inflater = inflaters.get(codingOf(request))?.();
  return inflater === undefined ? request : request.pipe(inflater);
};

const tooLarge = (limit: number): HttpError =>
  new HttpError(413, 'body-too-large', `The body is larger than ${limit} bytes`);

/** What the bytes of one body may be. */
export interface BodyBounds {
  /** Bytes, after decompression. */
  readonly limit: number;
  /** Shared with other bodies. */
  readonly memory: BodyMemory;
}

/** Bytes that a piece of a body takes beside its content, and what inflates one. */
const pieceOverhead = 128;
const inflaterOverhead = 256 * 1024;

/** Each piece takes some microseconds. Who sends a body in small ones has no more of them than large bodies have. */
const mostPieces = (size: number): number => 1000 + size / 32;

/**
 * Throws what the head alone is refused for. Nothing has been read then, so that a caller who waits for 100 Continue gets none.
 */
const refuseUnread = (request: IncomingMessage, { limit, memory }: BodyBounds): void => {
  const coding = codingOf(request);
  const isInflated = inflaters.has(coding);
  if (coding !== 'identity' && !isInflated) {
    throw new HttpError(415, 'unsupported-media-type', 'The Content-Encoding is not supported');
  }
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limit) throw tooLarge(limit);
  memory.requireRoom(length);
  if (isInflated) memory.hold(request, inflaterOverhead);
};

/** Makes what throws at a body that comes in more pieces than its bytes are worth; to be called with each piece as it was sent. */
const pieceCounter = () => {
  let pieces = 0;
  let size = 0;
  return (bytes: Buffer): void => {
    pieces += 1;
    size += bytes.length;
    if (pieces <= mostPieces(size)) return;
    throw new HttpError(400, 'malformed-request', 'The body comes in too many small pieces');
  };
};

/** The rest of the body is read and forgotten, so that the response reaches a client that is still sending. */
const drop = (request: IncomingMessage, source: Readable): void => {
  request.unpipe();
  if (source !== request) source.destroy();
  request.resume();
};

const unreadable = (cause: unknown): HttpError =>
  new HttpError(400, 'malformed-request', 'The body could not be read', { cause });

/**
 * Receives a body. What it holds of the memory, whoever answers the request releases.
 * @returns what stops it: the receiver is called no more
 */
export const receiveBody = (
  request: IncomingMessage,
  bounds: BodyBounds,
  receiver: BodyReceiver,
): (() => void) => {
  try {
    refuseUnread(request, bounds);
  } catch (error) {
    receiver.fail(asHttpError(error));
    return () => undefined;
  }
  const { limit, memory } = bounds;
  const source = inflated(request);
  const countPiece = pieceCounter();
  let size = 0;
  let isOver = false;
  const stop = (): void => {
    if (isOver) return;
    isOver = true;
    drop(request, source);
  };
  const fail = (error: HttpError): void => {
    if (isOver) return;
    stop();
    receiver.fail(error);
  };
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    receiver.end(size);
  };
  const breakOff = (error?: Error | null): void => {
    if (!isOver) fail(unreadable(error));
  };
  /** Makes a listener of what throws where the body is to be refused. */
  const each = (take: (bytes: Buffer) => void) => (bytes: Buffer) => {
    if (isOver) return;
    try {
      take(bytes);
    } catch (error) {
      fail(asHttpError(error));
    }
  };
  const take = (bytes: Buffer): void => {
    size += bytes.length;
    if (size > limit) throw tooLarge(limit);
    memory.hold(request, bytes.length + pieceOverhead);
    receiver.take(bytes);
  };
  const takePiece = (bytes: Buffer): void => {
    countPiece(bytes);
    take(bytes);
  };
  if (source === request) {
    // What `finished` would hear of such a stream, without the dozen listeners that it adds.
    request.on('data', each(takePiece)).on('end', end).on('error', breakOff).on('close', breakOff);
    if (request.destroyed) breakOff();
  } else {
    request.on('data', each(countPiece));
    source.on('data', each(take));
    finished(source, (error) => (error ? breakOff(error) : end()));
    // A client that goes away ends the request, but not what inflates it.
    finished(request, (error) => error && breakOff(error));
  }
  return stop;
};
