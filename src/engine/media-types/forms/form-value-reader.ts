/** Form fields to values, compiled from the shape. */

import { pointerTo } from '../../../base/json-pointer';
import { MalformedText, tryRead } from '../../../base/malformed-text';
import { type PlainObject, setOwn } from '../../../base/plain-object';
import { compileReader } from '../../schema/compile-per-shape';
import { scalarReader } from '../../schema/scalars';
import type { Shape } from '../../schema/shape';
import type { ReadLimits } from '../codec/codec';
import { parseJson } from '../json/json';
import {
  decodeFormText,
  type FormField,
  type FormFields,
  namedFields,
  newField,
} from './form-fields';

/** Reads one field; `path` is the JSON Pointer of what it becomes. A scalar given twice throws MalformedText. */
export type ReadField = (field: FormField, path: string) => unknown;

/** Compiles the reader of fields that hold a value of the shape. */
export const fieldReader = (shape: Shape, limits: ReadLimits): ReadField =>
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
      return shape.items ? arrayReader(shape.items, compile(shape.items), limits) : readFreeField;
    case 'object':
      return objectReader(shape, compile, limits);
    default: {
      const read = scalarReader(shape);
      return (field, path) =>
        field.inner.size > 0
          ? readFreeField(field, path)
          : read(decodeFormText(onlyOne(field, path), path));
    }
  }
}

/** Makes the reader of a field without a schema: text, an array of texts for a repeated key or one with `[]`, an object for brackets. */
export const freeFieldReader = (limits: ReadLimits): ReadField => {
  const read: ReadField = (field, path) => {
    const texts = field.raw.map((raw) => decodeFormText(raw, path));
    const own = texts.length === 1 && !field.isList ? texts[0] : texts;
    if (field.inner.size === 0) return own;
    const object: PlainObject = {};
    for (const [key, inner] of namedFields(field, limits, path)) {
      setOwn(object, key, read(inner, pointerTo(path, key)));
    }
    if (texts.length > 0) setOwn(object, '', own);
    return object;
  };
  return read;
};

/** Items are the values of `a` and `a[]`, then those of `a[0]`, `a[1]` in the order of their numbers. */
function arrayReader(items: Shape, readItem: ReadField, limits: ReadLimits): ReadField {
  const readFreeField = freeFieldReader(limits);
  const isStructured = items.type === 'object' || items.type === 'array';
  return (field, path) => {
    const whole = isStructured ? readWholeArray(field, items, path, limits) : undefined;
    if (whole) return whole;
    const indexed = sortByIndex(field.inner);
    if (!indexed) return readFreeField(field, path);
    const repeated = isStructured
      ? readJsonItems(field.raw, path, limits)
      : field.raw.map((raw, index) => readItem(newField(raw), pointerTo(path, index)));
    const start = repeated.length;
    return repeated.concat(
      indexed.map((item, index) => readItem(item, pointerTo(path, start + index))),
    );
  };
}

/** Once an item is no structure the list does not fit, and the rest need not be parsed. */
function readJsonItems(raws: readonly string[], path: string, limits: ReadLimits): unknown[] {
  let fits = true;
  return raws.map((raw, index) => {
    const text = decodeFormText(raw, pointerTo(path, index));
    const value = fits ? readJsonText(text, limits) : text;
    fits &&= typeof value === 'object';
    return value;
  });
}

/** One text that is a JSON array, as documentation pages send it. */
function readWholeArray(
  field: FormField,
  items: Shape,
  path: string,
  limits: ReadLimits,
): unknown[] | undefined {
  const [raw, second] = field.raw;
  if (raw === undefined || second !== undefined || field.inner.size > 0) return undefined;
  const value = readJsonText(decodeFormText(raw, path), limits);
  if (!Array.isArray(value)) return undefined;
  return items.type !== 'array' || value.every(Array.isArray) ? value : undefined;
}

function sortByIndex(fields: FormFields): readonly FormField[] | undefined {
  const entries = [...fields].map(([key, field]) => ({ index: Number(key), key, field }));
  if (entries.some(({ key }) => !/^[0-9]{1,9}$/.test(key))) return undefined;
  return entries.sort((one, other) => one.index - other.index).map(({ field }) => field);
}

/** An object is given as `a[b]=…`, or as one JSON text. */
function objectReader(
  { properties, additional }: Shape,
  compile: Compile,
  limits: ReadLimits,
): ReadField {
  const readers = new Map([...properties].map(([name, inner]) => [name, compile(inner)]));
  const readUndeclared =
    typeof additional === 'object' ? compile(additional) : freeFieldReader(limits);
  return (field, path) => {
    if (field.inner.size === 0) {
      return readJsonText(decodeFormText(onlyOne(field, path), path), limits);
    }
    if (field.raw.length > 0) throw givenTwice(path);
    const object: PlainObject = {};
    for (const [key, inner] of namedFields(field, limits, path)) {
      const read = readers.get(key) ?? readUndeclared;
      setOwn(object, key, read(inner, pointerTo(path, key)));
    }
    return object;
  };
}

/** How a JSON text may begin. To find it out by parsing takes a hundred times as long. */
const JSON_START = /^[ \t\n\r]*["[{\-\dtfn]/;

/** The value of a JSON text; a text that is none stays text, which will not fit. */
export function readJsonText(text: string, limits: ReadLimits): unknown {
  if (!JSON_START.test(text)) return text;
  const value = tryRead(() => parseJson(text, limits));
  return value === undefined ? text : value;
}

/** The one value of a field that may have no more. */
export function onlyOne({ raw, isList }: FormField, path: string): string {
  const [first = '', second] = raw;
  if (second !== undefined) throw givenTwice(path);
  if (isList)
    throw new MalformedText('The form is malformed: a single value is given as a list', path);
  return first;
}

const givenTwice = (path: string): MalformedText =>
  new MalformedText('The form is malformed: a single value is given twice', path);
