/** Hands on the bytes of a request's body as they come: inflated, counted, and dropped once nobody wants them. */

import type { IncomingMessage } from 'node:http';
import { finished, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { HttpError } from './http-error';

interface BodyReceiver {
  take(bytes: Uint8Array): void;
  /** @param size bytes in all */
  end(size: number): void;
  /** The body cannot be received: 400, 413 or 415. Nothing else is called afterwards. */
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

/** What the head alone is refused for. Nothing has been read then, so that a caller who waits for 100 Continue gets none. */
const refuseUnread = (request: IncomingMessage, limit: number): HttpError | undefined => {
  const coding = codingOf(request);
  if (coding !== 'identity' && !inflaters.has(coding)) {
    return new HttpError(415, 'unsupported-media-type', 'The Content-Encoding is not supported');
  }
  return Number(request.headers['content-length'] ?? 0) > limit ? tooLarge(limit) : undefined;
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
 * Receives a body.
 * @param limit bytes, after decompression
 * @returns what stops it: the receiver is called no more
 */
export const receiveBody = (
  request: IncomingMessage,
  limit: number,
  receiver: BodyReceiver,
): (() => void) => {
  const refusal = refuseUnread(request, limit);
  if (refusal !== undefined) {
    receiver.fail(refusal);
    return () => undefined;
  }
  const source = inflated(request);
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
  source.on('data', (bytes: Buffer) => {
    size += bytes.length;
    if (size > limit) fail(tooLarge(limit));
    if (!isOver) receiver.take(bytes);
  });
  finished(source, (error) => {
    if (error) fail(unreadable(error));
    if (isOver) return;
    isOver = true;
    receiver.end(size);
  });
  // A client that goes away ends the request, but not what inflates it.
  if (source !== request) finished(request, (error) => error && fail(unreadable(error)));
  return stop;
};
