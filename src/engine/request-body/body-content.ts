/** Reads a request's body, bounded, as one entry of its Content map describes it (OAS 3.0.3, Media Type Object). */

import type { IncomingMessage } from 'node:http';
import { addFuel, drawFrom, type Fuel } from '../../base/fuel';
import { lazy, memoize } from '../../base/memoize';
import type { MediaType } from '../document/model/operation';
import type { SchemaContext } from '../document/model/schema-context';
import { largeBody } from '../http/body-memory';
import type { ParsedMediaType } from '../http/media-type';
import { type BodyBounds, receiveBody } from '../http/receive-body';
import type { ReadLimits } from '../media-types/codec/codec';
import { decoderFor } from '../media-types/codecs';
import { multipartReader } from '../media-types/multipart/multipart-reader';
import type { Shape } from '../schema/shape';

/** Reads the whole body. Rejects with an HttpError: 413 past the limit, 415 for an unknown Content-Encoding, 503 without room, 400 otherwise. */
export interface ReadBytes {
  (request: IncomingMessage): Promise<Uint8Array>;
  readonly bounds: BodyBounds;
}

/** Makes a reader. */
export const bytesReader = (bounds: BodyBounds): ReadBytes => {
  const read = (request: IncomingMessage): Promise<Uint8Array> =>
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
  return Object.assign(read, { bounds });
};

/** What reading is compiled from. */
export interface ContentTools extends SchemaContext {
  /** For documents and forms. */
  readonly readText: ReadBytes;
  /** For raw bytes. */
  readonly readUpload: ReadBytes;
  /** Of what is read into values. */
  readonly limits: ReadLimits;
}

/**
 * Reads a body of one type; undefined where it turns out to have no bytes, and they would be no value.
 * @param fuel the steps that the request may take; the body adds its own
 */
export type ReadContent = (
  request: IncomingMessage,
  type: ParsedMediaType,
  fuel: Fuel,
) => Promise<unknown>;

const wholeReader = (content: MediaType, shape: Shape, tools: ContentTools): ReadContent => {
  const isBytes = shape.format === 'binary';
  const readBytes = isBytes ? tools.readUpload : tools.readText;
  // Behind a range such as */* the bytes may be in any of a few formats.
  const decoderOf = memoize(
    (essence: string) => decoderFor(essence, shape, content.encoding, tools.limits),
    { max: 16 },
  );
  return async (request, { essence, parameters }, fuel) => {
    const bytes = await readBytes(request);
    if (bytes.length === 0 && !isBytes) return undefined;
    if (bytes.length >= largeBody && !isBytes) await readBytes.bounds.memory.turn();
    addFuel(fuel, bytes.length);
    return drawFrom(fuel, () => decoderOf(essence)(bytes, parameters['charset']));
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
  const { readUpload, readText, limits } = tools;
  const sizes = { whole: readUpload.bounds, text: readText.bounds.limit, limits };
  const readMultipart = lazy(() => multipartReader(shape, content.encoding, sizes, tools));
  return (request, type, fuel) =>
    type.essence.startsWith('multipart/')
      ? readMultipart()(request, type, fuel)
      : readWhole(request, type, fuel);
};
