/** A multipart body to an object, by the schema and its Encoding Objects (OAS 3.0.3, multipart Content). */

import { addFuel, drawFrom, type Fuel } from '../../../base/fuel';
import { pointerTo } from '../../../base/json-pointer';
import type { ParsedMediaType } from '../../../base/media-type';
import { lazy, memoize } from '../../../base/memoize';
import { isPlainObject, type PlainObject, setOwn } from '../../../base/plain-object';
import { type ReadLimits, tooManyNames } from '../../../base/read-limits';
import { HttpError } from '../../../http/http-error';
import { type BodyBounds, type HttpRequest, largeBody, receiveBody } from '../../../http/request';
import { anySchema } from '../../../model/schema';
import { compileCoercion } from '../../../schema/coercion';
import { compileReader, compileUndeclared } from '../../../schema/compile-per-shape';
import { memberShape, type Shape } from '../../../schema/shape';
import { isStyled } from '../../../schema/write-pairs';
import { type Encodings, utf8 } from '../codec/codec';
import { formLayoutOf, formReader } from '../forms/form-reader';
import type { SchemaContext } from '../schema-context';
import {
  encodingOf,
  fallbackTypeOf,
  malformedBody,
  mayBeBytes,
  mostParts,
  type Part,
  type PartHead,
  propertyOf,
  readPartHead,
  type UseOf,
  useByName,
} from './multipart-fields';
import { decodeAt, type PartTools, partsReader, type ReadValue } from './part-value';
import { type PartSink, partSplitter } from './split-parts';

/** The parts of each property, in the order in which they came. */
type PartsByName = Map<string, Part[]>;

const skipped: PartSink<undefined> = { write: () => undefined, end: () => undefined };

/** The bounds of the bodies of a document; more throws a 413. */
export interface BodySizes {
  /** For documents and forms, and for all parts together that are read as values. */
  readonly text: BodyBounds;
  /** For raw bytes, and for all of a body of parts. */
  readonly upload: BodyBounds;
  /** For what is read into values. */
  readonly limits: ReadLimits;
}

/** @param useOf decides at a part's head; an error that it throws fails the body */
const collectParts = (sizes: BodySizes, shape: Shape, useOf: UseOf) => {
  const { limits } = sizes;
  const parts: PartsByName = new Map();
  let count = 0;
  let text = 0;
  const countText = (bytes: Uint8Array): void => {
    text += bytes.length;
    if (text > sizes.text.limit) {
      const message = `The fields of the body are larger than ${sizes.text.limit} bytes`;
      throw new HttpError(413, 'body-too-large', message);
    }
  };
  return {
    parts,
    open(head: PartHead): PartSink<Part | undefined> {
      count += 1;
      if (count > mostParts) throw malformedBody(`it has more than ${mostParts} parts`);
      const use = useOf(head);
      if (use === 'skipped') return skipped;
      const chunks: Uint8Array[] = [];
      return {
        write(bytes) {
          if (use === 'text') countText(bytes);
          chunks.push(bytes);
        },
        // A copy: what a handler keeps must not keep, or show, the rest of the body.
        end: () => ({ ...head, bytes: new Uint8Array(Buffer.concat(chunks)) }),
      };
    },
    keep(part: Part | undefined): void {
      // A browser sends an empty file without a name for a file input in which no file was chosen.
      if (part === undefined || (part.fileName === '' && part.bytes.length === 0)) return;
      const name = propertyOf(shape, part.name);
      const known = parts.get(name);
      if (known !== undefined) known.push(part);
      else if (parts.size < limits.names) parts.set(name, [part]);
      else throw malformedBody(tooManyNames(limits));
    },
  };
};

/**
 * Gives a collector every part as it comes. At the first error, of the body or thrown by the collector, the rest is read and dropped.
 * @returns the bytes that the body has
 * @throws MalformedText, or HttpError where the body cannot be received
 */
const readParts = (
  request: HttpRequest,
  { essence, parameters }: ParsedMediaType,
  bounds: BodyBounds,
  { open, keep }: ReturnType<typeof collectParts>,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const kind = essence === 'multipart/form-data' ? 'form' : 'named';
    const splitter = partSplitter(parameters['boundary'], (raw) => open(readPartHead(raw, kind)));
    let stop = (): void => undefined;
    /** Takes a step; its error fails the body. */
    const attempt = (step: () => void): void => {
      try {
        step();
      } catch (error) {
        stop();
        reject(error);
      }
    };
    stop = receiveBody(request, bounds, {
      take: (bytes) =>
        attempt(() => {
          for (const part of splitter.read(bytes)) keep(part);
        }),
      end: (size) =>
        attempt(() => {
          if (size > 0) splitter.end();
          resolve(size);
        }),
      fail: reject,
    });
  });

/**
 * Reads a body of one media type; undefined if it has no bytes, unless that is a value. Rejects with MalformedText, or with an
 * HttpError if it cannot be received.
 * @param fuel the steps that the request may take; what is read into values adds to them
 */
export type ReadContent = (
  request: HttpRequest,
  type: ParsedMediaType,
  fuel: Fuel,
) => Promise<unknown>;

/** Returns the index in a name such as `files[1]`; parts without one come first. */
const indexOf = ({ name }: Part): number => Number(/\[(\d+)\]$/.exec(name)?.[1] ?? -1);

/**
 * Makes the reader of properties in a style, which are as those of forms but not percent-encoded (OAS 3.1.2, Encoding Object), and of
 * names with brackets.
 */
const styledReader = (shape: Shape, encodings: Encodings, tools: PartTools) => {
  // Bytes have no style.
  const properties = [...shape.properties].filter(([, property]) => !mayBeBytes(property));
  const styled = properties.filter(([name]) => isStyled(encodingOf(encodings, name)));
  const names = new Set(
    styled.flatMap(([name, property]) =>
      formLayoutOf(encodings[name]).isSpread
        ? [name, ...[...property.properties.keys()].filter((inner) => !shape.properties.has(inner))]
        : name,
    ),
  );
  const own = { properties: new Map(properties), alternatives: [] };
  const read = lazy(() => formReader({ ...shape, ...own }, encodings, tools.limits));
  return {
    takes: (name: string, parts: readonly Part[]): boolean =>
      names.has(name) ||
      (parts.some((part) => part.name !== name) &&
        !mayBeBytes(memberShape(shape, name) ?? tools.any)),
    read(parts: readonly Part[]): PlainObject {
      // As a form has them, where nothing but a comma may stand between items.
      const pairs = parts.map(({ name, bytes, type }) => {
        const decode = () => utf8.decode(bytes, type?.parameters['charset']);
        const text = encodeURIComponent(decodeAt(pointerTo('', name), decode));
        return `${encodeURIComponent(name)}=${text.replaceAll('%2C', ',')}`;
      });
      const value = pairs.length === 0 ? undefined : read()(pairs.join('&'));
      return isPlainObject(value) ? value : {};
    },
  };
};

const objectReader = (shape: Shape, encodings: Encodings, tools: PartTools) => {
  const readers = new Map(
    [...shape.properties].map(([name, property]) => {
      const nested = { ...tools, encodings: encodingOf(encodings, name)?.encoding };
      return [name, partsReader(property, nested)];
    }),
  );
  const undeclaredReader = memoize((inner: Shape) => partsReader(inner, tools));
  const readAny = partsReader(tools.any, tools);
  const readFree: ReadValue = (parts, path) => {
    const values = parts.map((part) => readAny([part], path));
    return values.length === 1 ? values[0] : values;
  };
  const readerOf = compileUndeclared(shape, undeclaredReader, readFree);
  const styled = styledReader(shape, encodings, tools);
  return (parts: PartsByName): PlainObject => {
    const inStyle = [...parts].filter(([name, sameName]) => styled.takes(name, sameName));
    const object = styled.read(inStyle.flatMap(([, sameName]) => sameName));
    for (const [name, sameName] of parts) {
      if (styled.takes(name, sameName)) continue;
      const read = readers.get(name) ?? readerOf(name);
      const fallback = readers.has(name) ? fallbackTypeOf(encodingOf(encodings, name)) : undefined;
      const inOrder = sameName.toSorted((one, other) => indexOf(one) - indexOf(other));
      setOwn(object, name, read(inOrder, pointerTo('', name), fallback));
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
  sizes: BodySizes,
  tools: SchemaContext,
): ReadContent => {
  const { codecs, shapeOf } = tools;
  const partTools = { codecs, limits: sizes.limits, any: shapeOf(anySchema) };
  const read = compileReader<PartsByName>((inner) => objectReader(inner, encodings, partTools))(
    shape,
  );
  const coerce = compileCoercion(shape, 'request');
  const useOf = useByName(shape, encodings, tools);
  return async (request, type, fuel) => {
    const collector = collectParts(sizes, shape, (head) => drawFrom(fuel, () => useOf(head)));
    const size = await readParts(request, type, sizes.upload, collector);
    if (size === 0) return undefined;
    if (size >= largeBody) await sizes.upload.memory.turn();
    addFuel(fuel, Math.min(size, sizes.text.limit));
    return drawFrom(fuel, () => coerce(read(collector.parts)));
  };
};
