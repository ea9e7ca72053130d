/** A multipart body to an object, by the schema and its Encoding Objects (OAS 3.0.3, multipart Content). */

import type { IncomingMessage } from 'node:http';
import type { ParsedMediaType } from '../../http/media-type';
import { type PlainObject, setOwn } from '../../lang/plain-object';
import { pointerTo } from '../../lang/text-place';
import { compileCoercion } from '../../schema/coercion';
import type { Schema, Shape } from '../../schema/shape';
import { tryRead } from '../codec/try-read';
import { collectParts, type PartsByName } from './collect-parts';
import { type Encodings, fallbackTypeOf, fateByName } from './multipart-fields';
import type { PartHeaderTools } from './part-headers';
import { partsReader, type ReadValue } from './part-value';
import { readParts } from './read-parts';

/** How large a body may be, in bytes. */
export interface MultipartSizes {
  /** All of it. */
  readonly whole: number;
  /** The parts together that are not files. */
  readonly text: number;
}

/**
 * Reads a body; undefined where it has no bytes at all. Rejects with MalformedText, or with an HttpError where it cannot be
 * received.
 */
export type ReadMultipart = (request: IncomingMessage, type: ParsedMediaType) => Promise<unknown>;

type ReadObject = (parts: PartsByName) => unknown;

const anything: Schema = {};

/** Parts without a schema: one value, or a list of those of one name. */
const freeReader = (any: Shape): ReadValue => {
  const read = partsReader(any, 'text/plain');
  return (parts, path) => {
    const values = parts.map((part) => read([part], path));
    return values.length === 1 ? values[0] : values;
  };
};

const plainObjectReader = (shape: Shape, encodings: Encodings, any: Shape): ReadObject => {
  const readers = new Map(
    [...shape.properties].map(([name, property]) => [
      name,
      partsReader(property, fallbackTypeOf(property, encodings, name)),
    ]),
  );
  const { additional } = shape;
  const readUndeclared =
    typeof additional === 'object'
      ? partsReader(additional, fallbackTypeOf(additional, {}, ''))
      : freeReader(any);
  return (parts) => {
    const object: PlainObject = {};
    for (const [name, own] of parts) {
      const read = readers.get(name) ?? readUndeclared;
      setOwn(object, name, read(own, pointerTo('', name)));
    }
    return object;
  };
};

const objectReader = (shape: Shape, encodings: Encodings, any: Shape): ReadObject => {
  const readPlainly = plainObjectReader(shape, encodings, any);
  const candidates = shape.alternatives.map((alternative) => ({
    read: objectReader(alternative.shape, encodings, any),
    accepts: alternative.accepts,
  }));
  return (parts) => {
    for (const { read, accepts } of candidates) {
      const value = tryRead(() => read(parts));
      if (value !== undefined && accepts(value)) return value;
    }
    return readPlainly(parts);
  };
};

/**
 * Compiles the reader of a media type whose parts are the properties of an object: `multipart/form-data`, and other types
 * of multipart whose parts say their names in Content-Disposition.
 */
export const multipartReader = (
  shape: Shape,
  encodings: Encodings,
  sizes: MultipartSizes,
  tools: PartHeaderTools,
): ReadMultipart => {
  const read = objectReader(shape, encodings, tools.shapeOf(anything));
  const convert = compileCoercion(shape, 'request');
  const fateOf = fateByName(shape, encodings, tools);
  return async (request, { essence, parameters }) => {
    const collector = collectParts(sizes.text, fateOf);
    const frame = {
      boundary: parameters['boundary'],
      isForm: essence === 'multipart/form-data',
      limit: sizes.whole,
    };
    const size = await readParts(request, frame, collector.open);
    return size === 0 ? undefined : convert(read(collector.parts));
  };
};
