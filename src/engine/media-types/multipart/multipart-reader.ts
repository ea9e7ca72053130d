/** A multipart body to an object, by the schema and its Encoding Objects (OAS 3.0.3, multipart Content). */

import type { IncomingMessage } from 'node:http';
import { addFuel, drawFrom, type Fuel } from '../../../base/fuel';
import { pointerTo } from '../../../base/json-pointer';
import { type PlainObject, setOwn } from '../../../base/plain-object';
import type { SchemaContext } from '../../document/model/schema-context';
import { largeBody } from '../../http/body-memory';
import type { ParsedMediaType } from '../../http/media-type';
import { type BodyBounds, receiveBody } from '../../http/receive-body';
import { compileCoercion } from '../../schema/coercion';
import { compileReader } from '../../schema/compile-per-shape';
import type { Shape } from '../../schema/shape';
import type { ReadLimits } from '../codec/codec';
import { type Encodings, fallbackTypeOf, fateByName } from './multipart-fields';
import { type PartHead, readPartHead } from './part';
import { partsReader, type ReadValue } from './part-value';
import {
  collectParts,
  type PartLimits,
  type PartSink,
  type PartsByName,
  splitParts,
} from './split-parts';

/**
 * Calls `open` for every part as it comes. At the first error, of the body or thrown by what takes a part, the rest is read
 * and dropped.
 * @returns the bytes that it has
 * @throws MalformedText, or HttpError where the body cannot be received
 */
const readParts = (
  request: IncomingMessage,
  { essence, parameters }: ParsedMediaType,
  bounds: BodyBounds,
  open: (head: PartHead) => PartSink,
): Promise<number> =>
  new Promise((resolve, reject) => {
    let stop = (): void => undefined;
    let size = 0;
    const fail = (error: unknown): void => {
      stop();
      reject(error);
    };
    const splitter = splitParts(parameters['boundary'], {
      open: (headers) => open(readPartHead(headers, essence === 'multipart/form-data')),
      done: () => resolve(size),
      fail,
    });
    stop = receiveBody(request, bounds, {
      take: splitter.write,
      end(bytes) {
        size = bytes;
        if (size === 0) resolve(0);
        else splitter.end();
      },
      fail,
    });
  });

interface MultipartSizes extends PartLimits {
  /** All of it. */
  readonly whole: BodyBounds;
}

/**
 * Reads a body; undefined where it has no bytes at all. Rejects with MalformedText, or with an HttpError where it cannot be
 * received.
 * @param fuel the steps that the request may take; what is no file adds its own
 */
export type ReadMultipart = (
  request: IncomingMessage,
  type: ParsedMediaType,
  fuel: Fuel,
) => Promise<unknown>;

type ReadObject = (parts: PartsByName) => unknown;

/** Parts without a schema: one value, or a list of those of one name. */
const freeReader = (any: Shape, limits: ReadLimits): ReadValue => {
  const read = partsReader(any, 'text/plain', limits);
  return (parts, path) => {
    const values = parts.map((part) => read([part], path));
    return values.length === 1 ? values[0] : values;
  };
};

const objectReader = (
  shape: Shape,
  encodings: Encodings,
  any: Shape,
  limits: ReadLimits,
): ReadObject => {
  const readers = new Map(
    [...shape.properties].map(([name, property]) => [
      name,
      partsReader(property, fallbackTypeOf(property, encodings, name), limits),
    ]),
  );
  const { additional } = shape;
  const readUndeclared =
    typeof additional === 'object'
      ? partsReader(additional, fallbackTypeOf(additional, {}, ''), limits)
      : freeReader(any, limits);
  return (parts) => {
    const object: PlainObject = {};
    for (const [name, own] of parts) {
      const read = readers.get(name) ?? readUndeclared;
      setOwn(object, name, read(own, pointerTo('', name)));
    }
    return object;
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
  tools: SchemaContext,
): ReadMultipart => {
  const any = tools.shapeOf({});
  const read = compileReader<PartsByName>((inner) =>
    objectReader(inner, encodings, any, sizes.limits),
  )(shape);
  const coerce = compileCoercion(shape, 'request');
  const fateOf = fateByName(shape, encodings, tools);
  return async (request, type, fuel) => {
    const collector = collectParts(sizes, (head) => drawFrom(fuel, () => fateOf(head)));
    const size = await readParts(request, type, sizes.whole, collector.open);
    if (size === 0) return undefined;
    if (size >= largeBody) await sizes.whole.memory.turn();
    addFuel(fuel, Math.min(size, sizes.text));
    return drawFrom(fuel, () => coerce(read(collector.parts)));
  };
};
