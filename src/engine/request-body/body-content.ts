/** Reads a request's body, bounded, as one entry of its Content map describes it (OAS 3.0.3, Media Type Object). */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { raw } from 'body-parser';
import type { MediaType } from '../document/model/operation';
import type { SchemaContext } from '../document/model/schema-context';
import { HttpError } from '../http/http-error';
import type { ParsedMediaType } from '../http/media-type';
import { type DecodeBody, decoderFor } from '../media-types/codecs';
import { multipartReader, type ReadMultipart } from '../media-types/multipart/multipart-reader';
import type { Shape } from '../schema/shape';

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

/** Whether the length of the body is announced and within the limit, and nothing is compressed. */
const isPlain = ({ headers }: IncomingMessage, limit: number): boolean =>
  headers['transfer-encoding'] === undefined &&
  headers['content-encoding'] === undefined &&
  Number(headers['content-length']) <= limit;

/**
 * Reads such a body, which node:http holds to its length, in a fifth of the time that body-parser takes for it.
 * Rejects where the sender disconnects.
 */
const readPlain = (request: IncomingMessage): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [only = new Uint8Array(), ...more] = chunks;
      resolve(more.length === 0 ? only : Buffer.concat(chunks));
    });
    // A request that breaks off closes.
    request.on('close', () => {
      if (!request.readableEnded) reject(new Error('The sender disconnected'));
    });
  });

/**
 * Makes a reader.
 * @param limit bytes, after decompression
 */
export const bytesReader = (limit: number): ReadBytes => {
  const parse = promisify(raw({ type: () => true, limit, inflate: true }));
  const read = async (request: IncomingMessage, response: ServerResponse): Promise<Uint8Array> => {
    try {
      if (isPlain(request, limit)) return await readPlain(request);
      await parse(request, response);
      return parsedBytes(request);
    } catch (error) {
      throw asHttpError(error, limit);
    }
  };
  return Object.assign(read, { limit });
};

/** What reading is compiled from. */
export interface ContentTools extends SchemaContext {
  /** For documents and forms. */
  readonly readText: ReadBytes;
  /** For raw bytes. */
  readonly readUpload: ReadBytes;
}

/** Reads a body of one type; undefined where it turns out to have no bytes, and they would be no value. */
export type ReadContent = (
  request: IncomingMessage,
  response: ServerResponse,
  type: ParsedMediaType,
) => Promise<unknown>;

/** Reads the whole body, then decodes it. */
const wholeReader = (content: MediaType, shape: Shape, tools: ContentTools): ReadContent => {
  const decoders = new Map<string, DecodeBody>();
  const isBytes = shape.format === 'binary';
  const readBytes = isBytes ? tools.readUpload : tools.readText;
  // Behind a range such as */* the bytes may be in any of a few formats; each gets its decoder once.
  const decoderOf = (essence: string): DecodeBody => {
    const known = decoders.get(essence);
    if (known !== undefined) return known;
    const made = decoderFor(essence, shape, content.encoding);
    if (decoders.size < 16) decoders.set(essence, made);
    return made;
  };
  return async (request, response, type) => {
    const bytes = await readBytes(request, response);
    if (bytes.length === 0 && !isBytes) return undefined;
    return decoderOf(type.essence)(bytes, type.parameters['charset']);
  };
};

/** Reads the body part by part where it has parts that are to be told apart, else as a whole. */
export const contentReader = (
  content: MediaType,
  shape: Shape,
  tools: ContentTools,
): ReadContent => {
  const readWhole = wholeReader(content, shape, tools);
  if (shape.format === 'binary') return readWhole;
  const sizes = { whole: tools.readUpload.limit, text: tools.readText.limit };
  let readMultipart: ReadMultipart | undefined;
  return (request, response, type) => {
    if (!type.essence.startsWith('multipart/')) return readWhole(request, response, type);
    readMultipart ??= multipartReader(shape, content.encoding, sizes, tools);
    return readMultipart(request, type);
  };
};
