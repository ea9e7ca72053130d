/** Checks of values and names of fields against the table, and the sentences about them. */

import { isPlainObject } from '../../base/plain-object';
import { cutText } from '../../base/text/cut-text';
import { nearestName } from '../../base/text/nearest-name';
import type { FieldType, ObjectName } from './field-type';
import { objectTypes, type Position } from './positions';

const accepts: { readonly [Is in FieldType['is']]: (value: unknown, kind: FieldType) => boolean } =
  {
    anything: () => true,
    text: (value) => typeof value === 'string',
    flag: (value) => typeof value === 'boolean',
    count: (value) => typeof value === 'bigint' || (Number.isInteger(value) && Number(value) >= 0),
    flagOrSchema: (value) => typeof value === 'boolean' || isPlainObject(value),
    choice: (value, kind) => kind.is === 'choice' && kind.of.some((text) => text === value),
    object: isPlainObject,
    map: (value, kind) =>
      isPlainObject(value) &&
      (kind.is !== 'map' ||
        !kind.filled ||
        Object.keys(value).some((key) => !key.startsWith('x-'))),
    list: (value, kind) =>
      Array.isArray(value) && (kind.is !== 'list' || !kind.filled || value.length > 0),
  };

const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

const plural = (noun: string): string => `${noun.replace(/y$/, 'ie')}s`;

/** Names the members of a list or map, in the plural. */
const members = (kind: FieldType): string => {
  if (kind.is === 'object') return plural(objectTypes[kind.name].title);
  if (kind.is === 'text') return 'texts';
  return kind.is === 'map' ? plural(kind.noun) : 'values';
};

const atLeastOne = 'one or more ';

const mapPhrase = ({ noun, filled, of }: Extract<FieldType, { is: 'map' }>): string =>
  noun === 'map' ? `a map of ${filled ? atLeastOne : ''}${members(of)}` : withArticle(noun);

const phrases: { readonly [Is in FieldType['is']]: (kind: FieldType) => string } = {
  anything: () => 'any value',
  text: () => 'text',
  flag: () => 'true or false',
  count: () => 'a whole number from 0',
  flagOrSchema: () => 'true, false or a schema',
  choice: (kind) => (kind.is === 'choice' ? `one of ${kind.of.join(', ')}` : ''),
  object: (kind) => (kind.is === 'object' ? withArticle(objectTypes[kind.name].title) : ''),
  map: (kind) => (kind.is === 'map' ? mapPhrase(kind) : ''),
  list: (kind) =>
    kind.is === 'list' ? `a list of ${kind.filled ? atLeastOne : ''}${members(kind.of)}` : '',
};

const isScalar = (value: unknown): value is number | bigint | boolean =>
  ['number', 'bigint', 'boolean'].includes(typeof value);

/** Describes a scalar. */
const scalarPhrase = (value: unknown, shown: boolean): string => {
  if (typeof value === 'string') {
    return shown ? `the text ${JSON.stringify(cutText(value))}` : 'a text';
  }
  if (typeof value === 'boolean') return shown ? String(value) : 'true or false';
  return shown ? `the number ${value}` : 'a number';
};

/** Describes a value. */
const described = (value: unknown, shown: boolean): string => {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (isPlainObject(value)) return Object.keys(value).length === 0 ? 'an empty map' : 'a map';
  return scalarPhrase(value, shown);
};

/**
 * Says what a field must hold instead of its value; undefined where that is right.
 * @param mayShow tells whether the sentence may show the value, and not only its kind
 */
export const kindError = (
  { holder, key, value, kind }: Position,
  mayShow: () => boolean,
): string | undefined => {
  if (accepts[kind.is](value, kind)) return undefined;
  const shown = mayShow();
  const subject = Array.isArray(holder) ? `item ${Number(key) + 1} of this list` : `\`${key}\``;
  if (kind.is === 'text' && isScalar(value)) {
    return `Put ${subject} in quotes; it must be text and is read as ${scalarPhrase(value, shown)}.`;
  }
  const wrong = `Write ${subject} as ${phrases[kind.is](kind)}; it is ${described(value, shown)}.`;
  const meant = kind.is === 'choice' && typeof value === 'string' && nearestName(value, kind.of);
  return meant ? `${wrong} Did you mean ${meant}?` : wrong;
};

/** Tells whether an empty map can stand for an object of the kind. */
const mayBeBare = (kind: FieldType): boolean =>
  kind.is === 'object' &&
  Object.values(objectTypes[kind.name].fields).every(
    ({ required, isolated }) => !required || isolated,
  );

/** Returns the empty value of a kind that must have members, which is then as good as none. */
export const standInFor = (kind: FieldType): { readonly value: object } | undefined =>
  kind.is === 'map' && kind.filled ? { value: {} } : undefined;

const standInForNull = ({
  holder,
  kind,
  optional,
}: Position): { readonly value: unknown } | undefined => {
  if (optional) return { value: undefined };
  if (mayBeBare(kind)) return { value: {} };
  return kind.is === 'list' && !Array.isArray(holder) ? { value: [] } : standInFor(kind);
};

/**
 * Returns a replacement of a wrong value that keeps its meaning (`value` undefined to leave it out); undefined where no
 * replacement does. A requirement of security must never get lost that way.
 */
export const standIn = (position: Position): { readonly value: unknown } | undefined => {
  const { key, value, kind } = position;
  if (value === null) return key === 'security' ? undefined : standInForNull(position);
  if (kind.is === 'text' && isScalar(value)) return { value: String(value) };
  // Many documents write `required: true` at a property, where it says nothing in OAS 3.0.
  if (kind.is === 'list' && key === 'required' && typeof value === 'boolean') return { value: [] };
  return isPlainObject(value) ? standInFor(kind) : undefined;
};

const isKnown = (name: ObjectName, key: string): boolean =>
  Object.hasOwn(objectTypes[name].fields, key) ||
  key.startsWith('x-') ||
  objectTypes[name].members !== undefined ||
  (objectTypes[name].referable && key === '$ref');

/** Finds the field that a misspelt key probably means; undefined for a field, an extension or another name. */
export const meantField = (name: ObjectName, key: string): string | undefined =>
  isKnown(name, key) ? undefined : nearestName(key, Object.keys(objectTypes[name].fields));

const advice = (name: ObjectName, key: string): string => {
  const meant = meantField(name, key);
  if (meant !== undefined) return `Did you mean \`${meant}\`?`;
  const isOfSchema = Object.hasOwn(objectTypes.Schema.fields, key);
  return isOfSchema && (name === 'Parameter' || name === 'Header')
    ? 'Move it into `schema`.'
    : 'Remove it, or begin its name with `x-`.';
};

/** Describes an unknown key of an object; undefined for a field or an extension. */
export const unknownField = (name: ObjectName, key: string): string | undefined =>
  isKnown(name, key)
    ? undefined
    : `OpenAPI 3.0 has no field \`${key}\` in this ${objectTypes[name].title}; it is ignored. ${advice(name, key)}`;
