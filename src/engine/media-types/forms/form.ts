/** Urlencoded forms as the engine reads and writes them. */

import { isNumeric } from '../../../base/exact-number';
import { writeJson } from '../../../base/json/write-json';
import { isPlainObject } from '../../../base/plain-object';
import { compileItems, compileUndeclared } from '../../../schema/compile-per-shape';
import { writeScalar } from '../../../schema/scalars';
import { type Direction, itemShapes, type Shape } from '../../../schema/shape';
import { encode, isStyled, writeField } from '../../../schema/write-pairs';
import type { Codec, Encodings, Writer } from '../codec/codec';
import { jsonWriter } from '../json/json';
import { type FindCodec, fieldCodec, formReader, isJsonItem } from './form-reader';

/** The texts of one property; none leaves it out. */
type WriteTexts = (value: unknown) => readonly string[];

/** Compiles the writer of a form. null and undefined have no text and are left out. */
function formWriter(
  shape: Shape,
  direction: Direction,
  encodings: Encodings,
  findCodec: FindCodec,
): Writer {
  const isResponse = direction === 'response';
  const encodeText: (text: string) => string = isResponse ? encodeFormText : encode;
  const compile = (inner: Shape, encoding?: Encodings[string]): WriteTexts => {
    if (isResponse && inner.writeOnly) return () => [];
    const write = fieldCodec(inner, encoding, findCodec)?.writer(inner, direction);
    if (write === undefined) return textsWriter(inner, direction);
    // Scalars of responses are their own text in every format.
    return isResponse ? textsOf(write, true) : (value) => [write(value)];
  };
  const writers = new Map(
    [...shape.properties].map(([name, inner]) => [name, compile(inner, encodings[name])]),
  );
  const writerOf = compileUndeclared(shape, compile, textsOf(writeJson, false));
  const styled = new Map(
    Object.entries(encodings).filter(
      ([name, encoding]) =>
        isStyled(encoding) && !(isResponse && shape.properties.get(name)?.writeOnly),
    ),
  );
  return (value) => {
    if (!isPlainObject(value)) return '';
    return Object.entries(value)
      .flatMap(([name, item]) => {
        if (item === undefined || item === null) return [];
        const encoding = styled.get(name);
        if (encoding === undefined) {
          const texts = (writers.get(name) ?? writerOf(name))(item);
          return texts.map((text) => `${encodeText(name)}=${encodeText(text)}`);
        }
        // An empty list is as one that is not given (RFC 6570 section 2.3); a request says so to its sender.
        const isLeftOut = isResponse && Array.isArray(item) && item.length === 0;
        return isLeftOut ? [] : writeField(name, item, encoding);
      })
      .join('&');
  };
}

function textsWriter(shape: Shape, direction: Direction): WriteTexts {
  const areJson = itemShapes(shape).map(isJsonItem);
  const isStructured = areJson.length > 0 && !areJson.includes(false);
  const write = textsOf(jsonWriter(shape, direction), isStructured);
  if (shape.prefixItems.length === 0 || isStructured) return write;
  const writerAt = compileItems(shape, (item) => jsonWriter(item, direction), writeJson);
  return (value) =>
    Array.isArray(value)
      ? value.map((item, index) => (isScalar(item) ? writeScalar(item) : writerAt(index)(item)))
      : write(value);
}

/** Scalars are their own text, arrays of scalars one text each; what has structure is one JSON text. */
function textsOf(write: Writer, isStructured: boolean): WriteTexts {
  return (value) => {
    if (isScalar(value)) return [writeScalar(value)];
    if (Array.isArray(value) && !isStructured && value.every(isScalar))
      return value.map(writeScalar);
    return [write(value)];
  };
}

const isScalar = (value: unknown): boolean =>
  typeof value !== 'object' || value instanceof Uint8Array || isNumeric(value);

/** Encodes a key or value as browsers do; halves of surrogate pairs become U+FFFD. */
const encodeFormText = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+');

/**
 * Makes the codec of application/x-www-form-urlencoded.
 * @param findCodec finds the formats of fields that have a `contentType`
 */
export const formCodecWith = (findCodec: FindCodec): Codec => ({
  name: 'form',
  mediaTypes: ['application/x-www-form-urlencoded'],
  reader: (shape, _direction, limits, encodings) => formReader(shape, encodings, limits, findCodec),
  writer: (shape, direction, encodings = {}) => formWriter(shape, direction, encodings, findCodec),
});

/** The codec of forms whose fields have no `contentType`. */
export const formCodec = formCodecWith(() => undefined);
