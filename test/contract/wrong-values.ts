/** Values that do not fit a schema: one for each place of it, made from the schema and a value that fits. */

import { list, type Node, node, resolved } from './document-facts';

/** A whole value with one place spoilt. */
export interface WrongValue {
  readonly title: string;
  /** The property of the root that the fault lies in; empty for the root itself. */
  readonly property: string;
  readonly value: unknown;
  /** Whether the fault is one of JSON types alone: a form or XML document has none. */
  readonly jsonOnly: boolean;
}

interface Spoilt {
  readonly title: string;
  readonly value: unknown;
  readonly jsonOnly: boolean;
}

const spoilt = (title: string, value: unknown, jsonOnly = false): Spoilt => ({
  title,
  value,
  jsonOnly,
});

const byType: Readonly<Record<string, readonly Spoilt[]>> = {
  string: [spoilt('a number', 7, true), spoilt('an object', { a: 'b' }, true)],
  integer: [
    spoilt('text', 'seven'),
    spoilt('digits as text', '7', true),
    spoilt('a fraction', 1.5),
    spoilt('true', true),
    spoilt('a list', [1], true),
  ],
  number: [spoilt('text', 'seven'), spoilt('digits as text', '7', true), spoilt('false', false)],
  boolean: [spoilt('text', 'yes'), spoilt('true as text', 'true', true), spoilt('a number', 7)],
  array: [spoilt('an object', { a: 'b' }, true), spoilt('a text', 'one', true)],
  object: [spoilt('an array', [], true), spoilt('a text', 'one', true)],
};

const byFormat: Readonly<Record<string, readonly Spoilt[]>> = {
  int32: [spoilt('2^31', 2_147_483_648n), spoilt('-2^31 - 1', -2_147_483_649n)],
  int64: [
    spoilt('2^63', 9_223_372_036_854_775_808n),
    spoilt('-2^63 - 1', -9_223_372_036_854_775_809n),
  ],
  'date-time': [spoilt('a date', '2030-01-01'), spoilt('no date', 'tomorrow')],
};

/** What does not fit the schema by itself. */
const spoiltFor = (schema: Node): readonly Spoilt[] => [
  ...('type' in schema ? [spoilt('null', null, true)] : []),
  ...(byType[String(schema['type'])] ?? []),
  ...(byFormat[String(schema['format'])] ?? []),
  ...('enum' in schema ? [spoilt('none of the allowed values', 'no such value')] : []),
  ...('minimum' in schema ? [spoilt('below the minimum', Number(schema['minimum']) - 1)] : []),
  ...('minItems' in schema ? [spoilt('an empty list', [], true)] : []),
];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const within = (place: string, inner: readonly Spoilt[], put: (value: unknown) => unknown) =>
  inner.map(({ title, value, jsonOnly }) => spoilt(`${place}/${title}`, put(value), jsonOnly));

const inProperties = (document: Node, schema: Node, good: Readonly<Record<string, unknown>>) =>
  Object.entries(node(schema['properties'])).flatMap(([key, property]) =>
    within(key, spoiltIn(document, node(property), good[key]), (value) => ({
      ...good,
      [key]: value,
    })),
  );

const withoutRequired = (schema: Node, good: Readonly<Record<string, unknown>>) =>
  list(schema['required'])
    .map(String)
    .map((name) => {
      const { [name]: _, ...rest } = good;
      return spoilt(`${name}/missing`, rest);
    });

/** Every way of spoiling the value at some place of it. */
const spoiltIn = (document: Node, declared: Node, good: unknown): readonly Spoilt[] => {
  const schema = resolved(document, declared);
  const own = spoiltFor(schema);
  if (Array.isArray(good) && good.length > 0) {
    const [first, ...rest] = good;
    const items = spoiltIn(document, node(schema['items']), first);
    return [...own, ...within('0', items, (value) => [value, ...rest])];
  }
  if (!isObject(good)) return own;
  return [...own, ...withoutRequired(schema, good), ...inProperties(document, schema, good)];
};

/** The whole value, spoilt in every way. */
export const wrongValues = (document: Node, schema: Node, good: unknown): readonly WrongValue[] =>
  spoiltIn(document, schema, good).map(({ title, value, jsonOnly }) => ({
    title,
    property: title.includes('/') ? (title.split('/')[0] ?? '') : '',
    value,
    jsonOnly,
  }));

const undecodable = ['%00', '%zz', '%ff'];
const noIntegers = [
  'abc',
  '1.0',
  '0x10',
  '+1',
  '1e3',
  '%201',
  '1%20',
  '1_0',
  '--1',
  '1n',
  '%D9%A1',
];

/** Raw texts that do not fit a parameter's schema. */
export const wrongTexts = (schema: Node): readonly string[] => [
  ...undecodable,
  ...(schema['type'] === 'integer' ? [...noIntegers, '9223372036854775808'] : []),
  ...('enum' in schema ? ['none', 'Available', ''] : []),
];
