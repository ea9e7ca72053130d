/** Reads a request's body as one entry of its Content map describes it (OAS 3.0.3, Media Type Object). */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MediaType } from '../document/model/operation';
import type { SchemaContext } from '../document/model/schema-context';
import type { ParsedMediaType } from '../http/media-type';
import { type DecodeBody, decoderFor } from '../media-types/codecs';
import { multipartReader, type ReadMultipart } from '../media-types/multipart/multipart-reader';
import type { Shape } from '../schema/shape';
import type { ReadBytes } from './body-bytes';

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
