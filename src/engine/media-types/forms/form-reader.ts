/** Forms to values, compiled from the schema and its Encoding Objects (OAS 3.0.3). */

import { pointerTo } from '../../../base/json-pointer';
import { MalformedText, tryRead } from '../../../base/malformed-text';
import { type PlainObject, setOwn } from '../../../base/plain-object';
import type { ReadLimits } from '../../../base/read-limits';
import { compileItems, compileReader, compileUndeclared } from '../../../schema/compile-per-shape';
import { scalarReader } from '../../../schema/scalars';
import { isListOf, itemShape, type Shape } from '../../../schema/shape';
import { isStyled } from '../../../schema/write-pairs';
import type { Codec, Encodings, Reader } from '../codec/codec';
import { parseJson } from '../json/json';
import {
  decodeFormText,
  type FormField,
  type FormFields,
  namedFields,
  newField,
  parseFormFields,
} from './form-fields';

/** Finds the format of a media type for values of a shape. */
export type FindCodec = (mediaType: string, shape: Shape) => Codec | undefined;

/** The text between the items of a value, by its style; it may come encoded (OAS 3.0.3, Style Examples) or raw. */
export const delimiters: Readonly<Record<string, RegExp>> = {
  form: /,/,
  spaceDelimited: /%20|\+/,
  pipeDelimited: /\||%7C/i,
};

/** Returns the codec of a property that is written by content type; undefined for plain text. */
export const fieldCodec = (
  property: Shape,
  encoding: Encodings[string] | undefined,
  findCodec: FindCodec,
): Codec | undefined => {
  if (isStyled(encoding)) return undefined;
  const codec = findCodec(encoding?.contentType?.split(',')[0]?.trim() ?? '', property);
  return codec?.name === 'text' ? undefined : codec;
};

/**
 * Returns the layout by style if it counts: the text between the items of one value, undefined if a value is not divided; and whether the
 * properties of an object stand beside the others, without the object's name.
 */
export function formLayoutOf(encoding: Encodings[string] | undefined) {
  const { style = 'form', explode = style === 'form' } = encoding ?? {};
  const hasStyle = isStyled(encoding);
  return {
    delimiter: hasStyle && !explode ? delimiters[style] : undefined,
    isSpread: hasStyle && explode && style === 'form',
  };
}

/**
 * Compiles the reader of a form. Fields that the schema does not declare are kept as text; entries of `encoding` for
 * properties that it does not declare are ignored.
 */
export function formReader(
  shape: Shape,
  encoding: Encodings,
  limits: ReadLimits,
  findCodec: FindCodec = () => undefined,
): Reader {
  const read = compileReader<FormFields>((inner) =>
    fieldsReader(inner, encoding, limits, findCodec),
  )(shape);
  const isDeclared = (name: string) => shape.properties.has(name);
  return (text) => read(parseFormFields(text, isDeclared, limits));
}

function fieldsReader(shape: Shape, encoding: Encodings, limits: ReadLimits, findCodec: FindCodec) {
  const { properties } = shape;
  const takers = [...properties].map(([name, property]) => {
    const read = layoutReader(property, encoding[name], limits, findCodec);
    const { isSpread } = formLayoutOf(encoding[name]);
    const gather = isSpread ? spreadGatherer(property, properties) : undefined;
    const path = pointerTo('', name);
    return (fields: FormFields, object: PlainObject): void => {
      const field = fields.get(name) ?? gather?.(fields);
      fields.delete(name);
      if (field) setOwn(object, name, read(field, path));
    };
  });
  const compile = (inner: Shape): ReadField => fieldReader(inner, limits);
  const readerOf = compileUndeclared(shape, compile, freeFieldReader(limits));
  return (fields: FormFields): PlainObject => {
    const left = new Map(fields);
    const object: PlainObject = {};
    for (const take of takers) take(left, object);
    for (const [name, field] of left) {
      setOwn(object, name, readerOf(name)(field, pointerTo('', name)));
    }
    return object;
  };
}

/** Takes the properties of an object from beside the others, unless the others have them. */
function spreadGatherer(
  property: Shape,
  others: ReadonlyMap<string, Shape>,
): (fields: FormFields) => FormField | undefined {
  const { properties, patterned } = property;
  const isInner = (name: string) => properties.has(name) || patterned?.find(name) !== undefined;
  return (fields) => {
    const inner: FormFields = new Map();
    for (const [name, field] of fields) {
      if (others.has(name) || !isInner(name)) continue;
      inner.set(name, field);
      fields.delete(name);
    }
    return inner.size > 0 ? { ...newField(), inner } : undefined;
  };
}

function layoutReader(
  property: Shape,
  encoding: Encodings[string] | undefined,
  limits: ReadLimits,
  findCodec: FindCodec,
): ReadField {
  const read = fieldReader(property, limits);
  const { delimiter } = formLayoutOf(encoding);
  const codec = fieldCodec(property, encoding, findCodec);
  if (codec !== undefined) {
    const readText = codec.reader(property, 'request', limits, encoding?.encoding ?? {});
    return (field, path) => {
      if (field.inner.size > 0) return read(field, path);
      const text = onlyText(field, path);
      const value = tryRead(() => readText(text));
      // Any other text stays text, which will not fit.
      return value === undefined ? text : value;
    };
  }
  if (delimiter === undefined) return read;
  if (property.type === 'array') {
    return (field, path) => read({ ...field, raw: splitAll(field, delimiter, path, limits) }, path);
  }
  if (property.type !== 'object') return read;
  return (field, path) => read(pairUp(field, delimiter, path, limits), path);
}

function splitAll(
  { raw }: FormField,
  delimiter: RegExp,
  path: string,
  limits: ReadLimits,
): string[] {
  const parts = raw.flatMap((text) => text.split(delimiter));
  if (parts.length <= limits.nodes) return parts;
  throw new MalformedText('The form is malformed: too many values', path);
}

/** Reads `b,1,c,2` as `a[b]=1&a[c]=2`; anything else, such as JSON text, stays as it is. */
function pairUp(field: FormField, delimiter: RegExp, path: string, limits: ReadLimits): FormField {
  const parts = splitAll(field, delimiter, path, limits);
  if (field.raw.length !== 1 || parts.length % 2 === 1 || /^(?:\{|%7B)/i.test(parts[0] ?? '')) {
    return field;
  }
  const inner: FormFields = new Map();
  for (let index = 0; index < parts.length; index += 2) {
    const key = decodeFormText(parts[index] ?? '', path);
    const known = inner.get(key) ?? newField();
    known.raw.push(parts[index + 1] ?? '');
    inner.set(key, known);
  }
  return { ...newField(), inner };
}

/** Reads one field; `path` is the JSON Pointer of its value. A scalar given twice throws MalformedText. */
type ReadField = (field: FormField, path: string) => unknown;

const fieldReader = (shape: Shape, limits: ReadLimits): ReadField =>
  compileReader<FormField, [path: string]>((inner, compile) => plainReader(inner, compile, limits))(
    shape,
  );

type Compile = (shape: Shape) => ReadField;

function plainReader(shape: Shape, compile: Compile, limits: ReadLimits): ReadField {
  const readFreeField = freeFieldReader(limits);
  switch (shape.type) {
    case 'any':
      return readFreeField;
    case 'array':
      return itemShape(shape, 0) ? arrayReader(shape, compile, limits) : readFreeField;
    case 'object':
      return objectReader(shape, compile, limits);
    default: {
      const read = scalarReader(shape);
      return (field, path) =>
        field.inner.size > 0 ? readFreeField(field, path) : read(onlyText(field, path));
    }
  }
}

/** Makes the reader of a field without a schema: text, an array of texts for a repeated key or one with `[]`, an object for brackets. */
const freeFieldReader = (limits: ReadLimits): ReadField => {
  const read: ReadField = (field, path) => {
    const texts = field.raw.map((raw) => decodeFormText(raw, path));
    const values = texts.length === 1 && !field.isList ? texts[0] : texts;
    if (field.inner.size === 0) return values;
    const object: PlainObject = {};
    for (const [key, inner] of namedFields(field, limits, path)) {
      setOwn(object, key, read(inner, pointerTo(path, key)));
    }
    if (texts.length > 0) setOwn(object, '', values);
    return object;
  };
  return read;
};

/** Tells whether items of the shape are JSON texts. */
export const isJsonItem = (shape: Shape | undefined): boolean =>
  shape?.type === 'object' || shape?.type === 'array';

/** Makes the reader of an array: the values of `a` and `a[]`, then those of `a[0]`, `a[1]` in the order of their numbers. */
function arrayReader(shape: Shape, compile: Compile, limits: ReadLimits): ReadField {
  const readFreeField = freeFieldReader(limits);
  const readerAt = compileItems(shape, compile, readFreeField);
  /** Once an item is no object or array, but should be, the list does not fit, and the rest stays text. */
  const readRepeated = (raws: readonly string[], path: string): unknown[] => {
    let fits = true;
    return raws.map((raw, index) => {
      const at = pointerTo(path, index);
      if (!isJsonItem(itemShape(shape, index))) return readerAt(index)(newField(raw), at);
      const text = decodeFormText(raw, at);
      const value = fits ? readJsonText(text, limits) : text;
      fits &&= typeof value === 'object';
      return value;
    });
  };
  return (field, path) => {
    const [only, second] = field.raw;
    const isOne = only !== undefined && second === undefined && field.inner.size === 0;
    if (isOne && isJsonItem(itemShape(shape, 0))) {
      // One text may be a JSON array, as documentation pages send it.
      const whole = readJsonText(decodeFormText(only, path), limits);
      if (isListOf(shape, whole)) return whole;
    }
    const indexed = [...field.inner];
    if (indexed.some(([key]) => !/^[0-9]{1,9}$/.test(key))) return readFreeField(field, path);
    indexed.sort(([one], [other]) => Number(one) - Number(other));
    const repeated = readRepeated(field.raw, path);
    const start = repeated.length;
    return repeated.concat(
      indexed.map(([, item], index) =>
        readerAt(start + index)(item, pointerTo(path, start + index)),
      ),
    );
  };
}

/** Makes the reader of an object that is given as `a[b]=…`, or as one JSON text. */
function objectReader(shape: Shape, compile: Compile, limits: ReadLimits): ReadField {
  const readers = new Map([...shape.properties].map(([name, inner]) => [name, compile(inner)]));
  const readerOf = compileUndeclared(shape, compile, freeFieldReader(limits));
  return (field, path) => {
    if (field.inner.size === 0) return readJsonText(onlyText(field, path), limits);
    if (field.raw.length > 0) throw givenTwice(path);
    const object: PlainObject = {};
    for (const [key, inner] of namedFields(field, limits, path)) {
      const read = readers.get(key) ?? readerOf(key);
      setOwn(object, key, read(inner, pointerTo(path, key)));
    }
    return object;
  };
}

/** Returns the value of a JSON text; any other text stays text, which will not fit. */
function readJsonText(text: string, limits: ReadLimits): unknown {
  // To parse a text in vain takes a hundred times as long.
  if (!/^[ \t\n\r]*["[{\-\dtfn]/.test(text)) return text;
  const value = tryRead(() => parseJson(text, limits));
  return value === undefined ? text : value;
}

function onlyText({ raw, isList }: FormField, path: string): string {
  const [first = '', second] = raw;
  if (second !== undefined) throw givenTwice(path);
  if (isList)
    throw new MalformedText('The form is malformed: a single value is given as a list', path);
  return decodeFormText(first, path);
}

const givenTwice = (path: string): MalformedText =>
  new MalformedText('The form is malformed: a single value is given twice', path);
