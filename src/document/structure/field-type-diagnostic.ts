/** Checks of values and names of fields against the table, and the sentences about them. */

import { type ExactNumber, isNumeric } from '../../base/exact-number';
import { isPlainObject } from '../../base/plain-object';
import { nearestName } from '../../base/text/nearest-name';
import { cutText } from '../../base/text/printable';
import { versions } from '../versions/versions';
import type { FieldType, ObjectName, ObjectType, ObjectTypes } from './field-type';
import { type Position, type Structure, typesOfVersions } from './positions';

/** Tells whether `true` and `false` may stand for an object of the kind. */
const mayBeFlag = (kind: FieldType, types: ObjectTypes): boolean =>
  kind.is === 'object' && types[kind.name].orFlag === true;

const accepts = (value: unknown, kind: FieldType, types: ObjectTypes): boolean => {
  const isFlag = typeof value === 'boolean';
  switch (kind.is) {
    case 'anything':
      return true;
    case 'text':
      return typeof value === 'string';
    case 'flag':
      return isFlag;
    case 'count':
      return typeof value === 'bigint' || (Number.isInteger(value) && Number(value) >= 0);
    case 'choice':
      return kind.of.some((text) => text === value);
    case 'list':
      return Array.isArray(value) && (!kind.filled || value.length > 0);
    case 'map':
      if (!isPlainObject(value)) return false;
      return !kind.filled || Object.keys(value).some((key) => !key.startsWith('x-'));
    default:
      return isPlainObject(value) || (isFlag && (kind.is !== 'object' || mayBeFlag(kind, types)));
  }
};

const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

const plural = (noun: string): string => `${noun.replace(/y$/, 'ie')}s`;

const members = (kind: FieldType, types: ObjectTypes): string => {
  if (kind.is === 'object') return plural(types[kind.name].title);
  if (kind.is === 'text') return 'texts';
  return kind.is === 'map' ? plural(kind.noun) : 'values';
};

const simplePhrases = {
  anything: 'any value',
  text: 'text',
  flag: 'true or false',
  count: 'a whole number from 0',
  flagOrSchema: 'true, false or a schema',
};

const phraseOf = (kind: FieldType, types: ObjectTypes): string => {
  if (kind.is === 'choice') return `one of ${kind.of.join(', ')}`;
  if (kind.is === 'object') {
    const { title } = types[kind.name];
    return mayBeFlag(kind, types) ? `true, false or a ${title}` : withArticle(title);
  }
  if (kind.is !== 'map' && kind.is !== 'list') return simplePhrases[kind.is];
  if (kind.is === 'map' && kind.noun !== 'map') return withArticle(kind.noun);
  return `a ${kind.is} of ${kind.filled ? 'one or more ' : ''}${members(kind.of, types)}`;
};

const isScalar = (value: unknown): value is ExactNumber | boolean =>
  typeof value === 'boolean' || isNumeric(value);

const scalarPhrase = (value: unknown, shown: boolean): string => {
  if (typeof value === 'string') {
    return shown ? `the text ${JSON.stringify(cutText(value))}` : 'a text';
  }
  if (typeof value === 'boolean') return shown ? String(value) : 'true or false';
  return shown && isNumeric(value) ? `the number ${String(value)}` : 'a number';
};

const describeValue = (value: unknown, shown: boolean): string => {
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
  types: ObjectTypes,
  mayShow: () => boolean,
): string | undefined => {
  if (accepts(value, kind, types)) return undefined;
  const shown = mayShow();
  const subject = Array.isArray(holder) ? `item ${Number(key) + 1} of this list` : `\`${key}\``;
  if (kind.is === 'text' && isScalar(value)) {
    return `Put ${subject} in quotes; it must be text and is read as ${scalarPhrase(value, shown)}.`;
  }
  const wrong = `Write ${subject} as ${phraseOf(kind, types)}; it is ${describeValue(value, shown)}.`;
  const meant = kind.is === 'choice' && typeof value === 'string' && nearestName(value, kind.of);
  return meant ? `${wrong} Did you mean ${meant}?` : wrong;
};

/** Returns the empty value of a kind that must have members, which is then as good as none. */
export const standInFor = (kind: FieldType): { readonly value: object } | undefined =>
  kind.is === 'map' && kind.filled ? { value: {} } : undefined;

const standInForNull = ({ holder, kind, optional }: Position, types: ObjectTypes) => {
  if (optional) return { value: undefined };
  const fields = kind.is === 'object' ? Object.values(types[kind.name].fields) : undefined;
  const mayBeBare = fields?.every(({ required, isolated }) => !required || isolated);
  if (mayBeBare) return { value: {} };
  return kind.is === 'list' && !Array.isArray(holder) ? { value: [] } : standInFor(kind);
};

/**
 * Returns a replacement of a wrong value that keeps its meaning (`value` undefined to leave it out); undefined where no
 * replacement does. A requirement of security must never get lost that way.
 */
export const standIn = (
  position: Position,
  types: ObjectTypes,
): { readonly value: unknown } | undefined => {
  const { key, value, kind } = position;
  if (value === null) return key === 'security' ? undefined : standInForNull(position, types);
  if (kind.is === 'text' && isScalar(value)) return { value: String(value) };
  // Many documents write `required: true` at a property, where it says nothing in OAS 3.0.
  if (kind.is === 'list' && key === 'required' && typeof value === 'boolean') return { value: [] };
  return isPlainObject(value) ? standInFor(kind) : undefined;
};

const isKnown = ({ fields, members, reference }: ObjectType, key: string): boolean =>
  Object.hasOwn(fields, key) ||
  key.startsWith('x-') ||
  members !== undefined ||
  (reference === 'instead' && key === '$ref');

/** Finds the field that a misspelt key probably means; undefined for a field, an extension or another name. */
export const meantField = (type: ObjectType, key: string): string | undefined =>
  isKnown(type, key) ? undefined : nearestName(key, Object.keys(type.fields));

/** Keywords of another version, and what says the same. */
const replaced: Readonly<Record<string, string>> = {
  nullable: "add 'null' to the list of `type`",
  const: 'write an `enum` with one value',
};

const advice = (name: ObjectName, key: string, { types, version }: Structure): string => {
  const other = versions.find((version) =>
    Object.hasOwn(typesOfVersions[version.name][name].fields, key),
  );
  if (other !== undefined) {
    const upgrade = other.name > version.name ? `, or write openapi: ${other.newest}` : '';
    return `OpenAPI ${other.name} has it: ${replaced[key] ?? 'remove it'}${upgrade}.`;
  }
  const meant = meantField(types[name], key);
  if (meant !== undefined) return `Did you mean \`${meant}\`?`;
  const isOfSchema = Object.hasOwn(types.Schema.fields, key);
  return isOfSchema && (name === 'Parameter' || name === 'Header')
    ? 'Move it into `schema`.'
    : 'Remove it, or begin its name with `x-`.';
};

/** Describes an unknown key of an object; undefined for a field or an extension. */
export const unknownField = (name: ObjectName, key: string, structure: Structure) => {
  const { types, version } = structure;
  const type = types[name];
  if (isKnown(type, key)) return undefined;
  const how = advice(name, key, structure);
  // Where any keyword is allowed, only what was probably meant otherwise is worth a warning.
  if (type.isOpen && how.startsWith('Remove')) return undefined;
  return `OpenAPI ${version.name} has no field \`${key}\` in this ${type.title}; it is ignored. ${how}`;
};
