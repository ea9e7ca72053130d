/** Reads a request's bytes by body-parser, bounded, and inflated where they come compressed. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { raw } from 'body-parser';
import { HttpError } from '../http/http-error';

/** Reads the whole body. Rejects with an HttpError: 413 past the limit, 415 for an unknown Content-Encoding, 400 otherwise. */
export interface ReadBytes {
  (request: IncomingMessage, response: ServerResponse): Promise<Uint8Array>;
  /** Bytes, after decompression. */
  readonly limit: number;
}

/** body-parser's errors carry a status; what they say of the request is safe to repeat only by our own words. */
const asHttpError = (error: unknown, limit: number): HttpError => {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) {
    return new HttpError(413, 'body-too-large', `The body is larger than ${limit} bytes`);
  }
  if (status === 415) {
    return new HttpError(415, 'unsupported-media-type', 'The Content-Encoding is not supported');
  }
  return new HttpError(400, 'malformed-request', 'The body could not be read', { cause: error });
};

/** What body-parser left on the request. */
const parsedBytes = (request: IncomingMessage): Uint8Array => {
  const body: unknown = 'body' in request ? request.body : undefined;
  return body instanceof Uint8Array ? body : new Uint8Array();
};

/**
 * Makes a reader.
 * @param limit bytes, after decompression
 */
export const bytesReader = (limit: number): ReadBytes => {
  const parse = promisify(raw({ type: () => true, limit, inflate: true }));
  const read = async (request: IncomingMessage, response: ServerResponse): Promise<Uint8Array> => {
    try {
      await parse(request, response);
      return parsedBytes(request);
    } catch (error) {
      throw asHttpError(error, limit);
    }
  };
  return Object.assign(read, { limit });
};
