/** A multipart body to an object, by the schema and its Encoding Objects (OAS 3.0.3, multipart Content). */

import { addFuel, drawFrom, type Fuel } from '../../../base/fuel';
import { pointerTo } from '../../../base/json-pointer';
import type { ParsedMediaType } from '../../../base/media-type';
import { type PlainObject, setOwn } from '../../../base/plain-object';
import { type BodyBounds, type HttpRequest, largeBody, receiveBody } from '../../../http/request';
import { anySchema } from '../../../model/schema';
import { compileCoercion } from '../../../schema/coercion';
import { compileReader, compileUndeclared } from '../../../schema/compile-per-shape';
import type { Shape } from '../../../schema/shape';
import type { Encodings } from '../codec/codec';
import type { SchemaContext } from '../schema-context';
import { fallbackTypeOf, type PartHead, readPartHead, useByName } from './multipart-fields';
import { type PartTools, partsReader, type ReadValue } from './part-value';
import {
  collectParts,
  type PartLimits,
  type PartSink,
  type PartsByName,
  splitParts,
} from './split-parts';

/**
 * Calls `open` for every part as it comes. At the first error, of the body or thrown by a part's sink, the rest is read and dropped.
 * @returns the bytes that it has
 * @throws MalformedText, or HttpError where the body cannot be received
 */
const readParts = (
  request: HttpRequest,
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
 * Reads a body; undefined if it has no bytes at all. Rejects with MalformedText, or with an HttpError if it cannot be received.
 * @param fuel the steps that the request may take; the bytes of fields add to them
 */
export type ReadMultipart = (
  request: HttpRequest,
  type: ParsedMediaType,
  fuel: Fuel,
) => Promise<unknown>;

type ReadObject = (parts: PartsByName) => unknown;

/** Makes the reader of parts without a schema: one value, or a list of those of one name. */
const freeReader = (any: Shape, tools: PartTools): ReadValue => {
  const read = partsReader(any, 'text/plain', tools);
  return (parts, path) => {
    const values = parts.map((part) => read([part], path));
    return values.length === 1 ? values[0] : values;
  };
};

const objectReader = (
  shape: Shape,
  encodings: Encodings,
  any: Shape,
  tools: PartTools,
): ReadObject => {
  const readers = new Map(
    [...shape.properties].map(([name, property]) => [
      name,
      partsReader(property, fallbackTypeOf(property, encodings, name, tools.codecs), tools),
    ]),
  );
  const undeclaredReader = (inner: Shape): ReadValue =>
    partsReader(inner, fallbackTypeOf(inner, {}, '', tools.codecs), tools);
  const readerOf = compileUndeclared(shape, undeclaredReader, freeReader(any, tools));
  return (parts) => {
    const object: PlainObject = {};
    for (const [name, sameName] of parts) {
      const read = readers.get(name) ?? readerOf(name);
      setOwn(object, name, read(sameName, pointerTo('', name)));
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
  const any = tools.shapeOf(anySchema);
  const read = compileReader<PartsByName>((inner) =>
    objectReader(inner, encodings, any, { codecs: tools.codecs, limits: sizes.limits }),
  )(shape);
  const coerce = compileCoercion(shape, 'request');
  const useOf = useByName(shape, encodings, tools);
  return async (request, type, fuel) => {
    const collector = collectParts(sizes, (head) => drawFrom(fuel, () => useOf(head)));
    const size = await readParts(request, type, sizes.whole, collector.open);
    if (size === 0) return undefined;
    if (size >= largeBody) await sizes.whole.memory.turn();
    addFuel(fuel, Math.min(size, sizes.text));
    return drawFrom(fuel, () => coerce(read(collector.parts)));
  };
};
