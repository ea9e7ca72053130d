/** Urlencoded text to an object, by the schema and its Encoding Objects (OAS 3.0.3). */

import type { OpenAPIV3 } from 'openapi-types';
import { pointerTo } from '../../../base/json-pointer';
import { MalformedText } from '../../../base/malformed-text';
import { type PlainObject, setOwn } from '../../../base/plain-object';
import { compileCoercion } from '../../schema/coercion';
import { compileReader } from '../../schema/compile-per-shape';
import type { Direction, Shape } from '../../schema/shape';
import { type Reader, type ReadLimits, readLimits } from '../codec/codec';
import {
  decodeFormText,
  type FormField,
  type FormFields,
  newField,
  parseFormFields,
} from './form-fields';
import {
  fieldReader,
  freeFieldReader,
  onlyOne,
  type ReadField,
  readJsonText,
} from './form-value-reader';

/** How one property is laid out. */
export interface FormLayout {
  /** Between the parts of one value; undefined where a value is not divided. */
  readonly delimiter: RegExp | undefined;
  /** The properties of an object stand beside the others, without the object's name. */
  readonly isSpread: boolean;
  /** Values are JSON text whatever the schema says. */
  readonly isJson: boolean;
}

const DELIMITERS: Readonly<Record<string, RegExp>> = {
  form: /,/,
  spaceDelimited: /%20|\+/,
  pipeDelimited: /\||%7C/i,
};
const JSON_TYPE = /^application\/(?:[^\s;,]+\+)?json$/i;

/** Lays out by style where style, explode or allowReserved is given, else by content type (OAS 3.0.4, Encoding Object). */
function formLayoutOf(encoding: OpenAPIV3.EncodingObject | undefined): FormLayout {
  const { style = 'form', explode = style === 'form', contentType = '' } = encoding ?? {};
  const hasStyle =
    encoding?.style !== undefined ||
    encoding?.explode !== undefined ||
    encoding?.allowReserved !== undefined;
  return {
    delimiter: hasStyle && !explode ? DELIMITERS[style] : undefined,
    isSpread: hasStyle && explode && style === 'form',
    isJson: !hasStyle && JSON_TYPE.test(contentType.trim()),
  };
}

type Encodings = Readonly<Record<string, OpenAPIV3.EncodingObject>>;

type TakeProperty = (fields: FormFields, object: PlainObject) => void;

/**
 * Compiles the reader of a form. Fields that the schema does not declare are kept as text; entries of `encoding` for
 * properties that it does not declare are ignored.
 */
export function formReader(
  shape: Shape,
  encoding: Encodings,
  direction: Direction,
  limits = readLimits,
): Reader {
  const read = compileReader<FormFields>((inner) => fieldsReader(inner, encoding, limits))(shape);
  const coerce = compileCoercion(shape, direction);
  const isDeclared = (name: string) => shape.properties.has(name);
  return (text) => coerce(read(parseFormFields(text, isDeclared, limits)));
}

type ReadFields = (fields: FormFields) => unknown;

function fieldsReader(
  { properties, additional }: Shape,
  encoding: Encodings,
  limits: ReadLimits,
): ReadFields {
  const takers = [...properties].map(([name, property]) =>
    propertyTaker(name, property, formLayoutOf(encoding[name]), properties, limits),
  );
  const readUndeclared =
    typeof additional === 'object' ? fieldReader(additional, limits) : freeFieldReader(limits);
  return (fields) => {
    const left = new Map(fields);
    const object: PlainObject = {};
    for (const take of takers) take(left, object);
    for (const [name, field] of left) {
      setOwn(object, name, readUndeclared(field, pointerTo('', name)));
    }
    return object;
  };
}

function propertyTaker(
  name: string,
  property: Shape,
  layout: FormLayout,
  others: ReadonlyMap<string, Shape>,
  limits: ReadLimits,
): TakeProperty {
  const path = pointerTo('', name);
  const read = layoutReader(property, layout, limits);
  const gather = layout.isSpread ? spreadGatherer(property, others) : () => undefined;
  return (fields, object) => {
    const field = fields.get(name) ?? gather(fields);
    fields.delete(name);
    if (field) setOwn(object, name, read(field, path));
  };
}

/** Takes the properties of an object from beside the others, unless the others have them. */
function spreadGatherer(
  property: Shape,
  others: ReadonlyMap<string, Shape>,
): (fields: FormFields) => FormField | undefined {
  const names = [...property.properties.keys()].filter((name) => !others.has(name));
  return (fields) => {
    const inner: FormFields = new Map();
    for (const name of names) {
      const field = fields.get(name);
      if (field) inner.set(name, field);
      fields.delete(name);
    }
    return inner.size > 0 ? { ...newField(), inner } : undefined;
  };
}

function layoutReader(
  property: Shape,
  { delimiter, isJson }: FormLayout,
  limits: ReadLimits,
): ReadField {
  const read = fieldReader(property, limits);
  if (isJson) {
    return (field, path) => readJsonText(decodeFormText(onlyOne(field, path), path), limits);
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

/** `b,1,c,2` as `a[b]=1&a[c]=2`; anything else, such as JSON text, stays as it is. */
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
