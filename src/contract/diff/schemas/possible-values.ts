/**
 * The values that a schema lets through at most, whichever of its keywords say so: the normal form in which schemas are held
 * against each other. A keyword of the one is a change where it refuses values that the other one may have.
 */

import type { AST } from '@eslint-community/regexpp';
import {
  compareExactly,
  type ExactNumber,
  exactValue,
  isNumeric,
} from '../../../base/exact-number';
import { pointerTo } from '../../../base/json-pointer';
import { memoize } from '../../../base/memoize';
import { constraintsOf, type Schema, schemaOf } from '../../../model/schema';
import { integerWithin } from '../../../schema/samples/sample-numbers';
import { compareStrictness, type Limit, strictest } from '../../../schema/schema-view';
import { valueKey } from '../../../schema/validation/checks/equality-checks';
import { parsePattern } from '../../../schema/validation/checks/pattern-check';
import { checksOf, keywordError } from '../../../schema/validation/checks-of';
import type { Spot } from '../rules/finding';
import type { MergedSchema, Union } from './merged-schema';
import { type Keyword, keywordsOf, valueSpot } from './schema-pair';
import { typeOfValue, type ValueType } from './schema-types';

/** Values by key, each with its place where it is listed. */
type Values = ReadonlyMap<string, Spot & { readonly value: unknown }>;

/** The values of enums that say what unions say, by their lists: each stands where its branch has it. */
const placedValues = new WeakMap<readonly unknown[], Values>();

/** Lists the values of an enum that the schema's types allow; a lone value stands where its keyword does. */
const valuesIn = (
  { types, document }: MergedSchema,
  { value: list, pointer }: Keyword<readonly unknown[]>,
): Values => {
  const isOne = pointer.endsWith('/const');
  const placed = placedValues.get(list);
  const spots = placed
    ? [...placed.values()]
    : list.map((value, at) =>
        Object.assign(valueSpot(document, isOne ? pointer : pointerTo(pointer, at)), { value }),
      );
  const possible = spots.filter(({ value }) => types.has(typeOfValue(value)));
  return new Map(possible.map((spot) => [valueKey(spot.value), spot]));
};

/** Gives the values that all enums of the schema list; undefined without an enum. */
export const enumOf = memoize((schema: MergedSchema): Values | undefined => {
  const [first, ...rest] = keywordsOf(schema, 'enum').map((keyword) => valuesIn(schema, keyword));
  return first && new Map([...first].filter(([key]) => rest.every((other) => other.has(key))));
});

const few: Partial<Record<ValueType, readonly unknown[]>> = {
  null: [null],
  boolean: [false, true],
};

/** Gives every value that the schema may have, by key, where they are few: its enum lists them, or its types have no others. */
export const possibleValues = (schema: MergedSchema): Values | undefined => {
  const ofTypes = [...schema.types].map((type) => few[type]);
  if (ofTypes.includes(undefined)) return enumOf(schema);
  const all = ofTypes.flatMap((values = []) => values);
  return enumOf(schema) ?? new Map(all.map((value) => [`${value}`, { pointer: '', value }]));
};

/** Gives the values of which a union is made; undefined where a branch says more, or several of `oneOf` fit. */
const valuesOf = ({ keyword, branches }: Union, depth: number): Values | undefined => {
  // Unions within more unions are not looked at.
  const deepest = 3;
  const entries = branches.map((branch) => {
    const own = depth < deepest ? listed(branch, depth + 1) : branch;
    const isList = own.ownParts.every((part) =>
      constraintsOf(part).every((name) => ['types', 'enum', 'members'].includes(name)),
    );
    const values = isList && own.broken === undefined ? possibleValues(own) : undefined;
    // A type says it where no list does.
    const placed = ({ pointer, value }: Spot & { readonly value: unknown }, text: string) =>
      pointer === '' ? { pointer: branch.pointer, text, value } : undefined;
    return values && [...values].map(([key, spot]) => [key, placed(spot, key) ?? spot] as const);
  });
  const all = new Map(entries.flatMap((values = []) => values));
  const isDecided = keyword === 'anyOf' || all.size === entries.flat().length;
  return isDecided && !entries.includes(undefined) ? all : undefined;
};

/** Gives the same set of values with an enum in place of each union that does nothing but list values. */
export const listed = (schema: MergedSchema, depth = 0): MergedSchema =>
  schema.unions().reduce((found, union) => {
    const values = valuesOf(union, depth);
    if (values === undefined) return found;
    const list = [...values.values()].map(({ value }) => value);
    placedValues.set(list, values);
    return found.narrowed({ pointer: union.pointer, enum: list }, union);
  }, schema);

/** Tells whether a keyword refuses none of the few values that a schema may have. */
export const isIdle = (
  { value: given }: Keyword,
  keyword: 'format' | 'pattern' | 'multipleOf',
  schema: MergedSchema,
): boolean => {
  const own = schemaOf({ [keyword]: given });
  const checks = keywordError(own) === undefined ? checksOf(own) : [];
  const values = possibleValues(schema)?.values();
  if (values === undefined || checks.length === 0) return false;
  return [...values].every(({ value }) => checks.every((check) => check.accepts(value)));
};

/** A limit that a keyword says: of numbers, or of what counts characters, items and properties. */
export type DeclaredLimit = Limit & Keyword<ExactNumber>;

/** A kind of limits: its name in rules; 1 for limits from below, -1 for those from above; the types that it is of; its keywords. */
const limitKind = <Name extends string>(
  name: Name,
  sense: 1 | -1,
  types: readonly [ValueType, ...ValueType[]],
  ...keywords: readonly (keyof Schema)[]
) => ({ name, sense, types, keywords });

/** The limits of numbers from below and above. */
const numberLimits = [
  limitKind('minimum', 1, ['integer', 'fraction'], 'minimum', 'exclusiveMinimum'),
  limitKind('maximum', -1, ['integer', 'fraction'], 'maximum', 'exclusiveMaximum'),
] as const;

const mostItems = limitKind('max-items', -1, ['array'], 'maxItems');

/** The kinds of limits, those from below before those from above of the same. */
export const limitKinds = [
  ...numberLimits,
  limitKind('min-length', 1, ['string'], 'minLength'),
  limitKind('max-length', -1, ['string'], 'maxLength'),
  limitKind('min-items', 1, ['array'], 'minItems'),
  mostItems,
  limitKind('min-properties', 1, ['object'], 'minProperties'),
  limitKind('max-properties', -1, ['object'], 'maxProperties'),
];

export type LimitKind = (typeof limitKinds)[number];

/** The least and the greatest of numbers, or of a count. */
type Range = readonly [least: number | bigint, greatest: number | bigint];

/** The numbers of formats, and the lengths of their texts (OAS 3.0.4, Data Types; RFC 1123, 3339, 3986, 5321). */
const rangesOfFormats: Partial<Record<ValueType, ReadonlyMap<string, Range>>> = {
  integer: new Map([
    ['int32', [-(2n ** 31n), 2n ** 31n - 1n]],
    ['int64', [-(2n ** 63n), 2n ** 63n - 1n]],
  ]),
  string: new Map([
    ['date', [10, 10]],
    ['date-time', [20, Infinity]],
    ['duration', [3, Infinity]],
    ['email', [3, 320]],
    ['hostname', [1, 253]],
    ['ipv4', [7, 15]],
    ['ipv6', [2, 45]],
    ['uri', [2, Infinity]],
    ['uuid', [36, 36]],
  ]),
};

/** Counts the characters that elements of a pattern match one after the other. */
const widthOf = (elements: readonly AST.Element[]): readonly [number, number] =>
  elements.map(elementWidth).reduce((all, width) => [all[0] + width[0], all[1] + width[1]], [0, 0]);

const hull = (ranges: readonly (readonly [number, number])[]): readonly [number, number] => [
  Math.min(...ranges.map(([least]) => least)),
  Math.max(...ranges.map(([, greatest]) => greatest)),
];

function elementWidth(element: AST.Element): readonly [number, number] {
  if (element.type === 'Assertion') return [0, 0];
  if (element.type === 'Group' || element.type === 'CapturingGroup') {
    return hull(element.alternatives.map(({ elements }) => widthOf(elements)));
  }
  if (element.type !== 'Quantifier') {
    return element.type.startsWith('Character') ? [1, 1] : [0, Infinity];
  }
  const [least, greatest] = elementWidth(element.element);
  // What is empty stays so, however often it is repeated.
  return [least * element.min, greatest * element.max || 0];
}

/** Gives the lengths of the texts that a pattern matches; undefined of one that counts halves of characters. */
const lengthsBy = ({ value }: Keyword<string>): Range | undefined => {
  const { pattern, flags } = parsePattern(value) ?? {};
  if (pattern === undefined || flags !== 'u') return undefined;
  return hull(
    pattern.alternatives.map(({ elements }) => {
      const [least, greatest] = widthOf(elements);
      const edges = [elements[0], elements.at(-1)].map(
        (element) => element?.type === 'Assertion' && element.kind,
      );
      return [least, edges.join() === 'start,end' ? greatest : Infinity];
    }),
  );
};

/** Gives the ranges that other keywords than limits and enums set. */
const rangesOf = (schema: MergedSchema, type: ValueType): readonly (Range | undefined)[] => {
  if (type === 'array') {
    const least = keywordsOf(schema, 'contains').map(({ part }) => part.minContains ?? 1);
    const positions = Array.from({ length: schema.prefixLength + 1 }, (_, at) => at);
    const end = positions.find((at) => schema.item(at)?.types.size === 0);
    return [[Math.max(0, ...least), end ?? Infinity]];
  }
  if (type === 'object') {
    const isClosed =
      schema.others().kind === 'none' && schema.parts.every((part) => !part.patternProperties);
    const properties = schema.properties();
    // Those that one side alone sends are not always there.
    const required = [...schema.required().keys()].filter(
      (name) => !properties.get(name)?.schema.parts.some((part) => part.readOnly || part.writeOnly),
    );
    return [[required.length, isClosed ? properties.size : Infinity]];
  }
  const formats = keywordsOf(schema, 'format').map(({ value }) =>
    rangesOfFormats[type]?.get(value),
  );
  if (type !== 'string') return formats;
  return [[0, Infinity], ...formats, ...keywordsOf(schema, 'pattern').map(lengthsBy)];
};

/** Measures a value: a number itself, and the count of all else. */
const sizeOf = ({ value }: { readonly value: unknown }): ExactNumber => {
  if (isNumeric(value)) return value;
  return typeof value === 'string' ? [...value].length : Object.keys(value ?? {}).length;
};

/** Makes a limit; none of infinity. */
const limitAt = (value: ExactNumber = Infinity): readonly Limit[] =>
  exactValue(value) === undefined ? [] : [{ value, exclusive: false }];

const loosest = (limits: readonly Limit[], sense: 1 | -1): readonly Limit[] =>
  limits.toSorted((one, other) => compareStrictness(one, other, sense)).slice(0, 1);

/** Lists each occurrence of a limit. */
export const limitsOf = (schema: MergedSchema, keyword: keyof Schema): readonly DeclaredLimit[] =>
  keywordsOf(schema, keyword).flatMap((found) => {
    const { value } = found;
    if (!isNumeric(value)) return [];
    const exclusive = keyword.startsWith('exclusive');
    const text = exclusive ? `${found.text} (exclusive)` : found.text;
    return [{ ...found, text, value, exclusive }];
  });

/** Gives the strictest limit that keywords of the kind say. */
export const declaredLimit = (schema: MergedSchema, kind: LimitKind): DeclaredLimit | undefined =>
  strictest(
    kind.keywords.flatMap((keyword) => limitsOf(schema, keyword)),
    kind.sense,
  );

/** Tells whether the schema has values that a limit is about. */
export const isOfKind = ({ types }: MergedSchema, kind: LimitKind): boolean =>
  kind.types.some((type) => types.has(type));

/** Gives the limit of all values, by whatever keywords; of unions it is that of the branch which allows most. */
const boundOf = (schema: MergedSchema, kind: LimitKind, isOwn = false): Limit | undefined => {
  const { sense, types } = kind;
  const listed = [...(enumOf(schema)?.values() ?? [])].filter(({ value }) =>
    types.includes(typeOfValue(value)),
  );
  const ranges = rangesOf(schema, types[0]).map((range) => range?.[sense === 1 ? 0 : 1]);
  const ofUnions = (isOwn ? [] : schema.unions()).flatMap(({ branches }) => {
    const own = branches.filter((branch) => isOfKind(branch, kind));
    const bounds = own.flatMap((branch) => boundOf(branch, kind, true) ?? []);
    return bounds.length === own.length ? loosest(bounds, sense) : [];
  });
  const bound = strictest<Limit>(
    [
      ...kind.keywords.flatMap((keyword) => limitsOf(schema, keyword)),
      ...loosest(listed.map(sizeOf).flatMap(limitAt), sense),
      ...ranges.flatMap(limitAt),
      ...ofUnions,
    ],
    sense,
  );
  if (bound === undefined || types[0] !== 'integer' || schema.types.has('fraction')) return bound;
  // An integer above 4 is one from 5.
  return limitAt(integerWithin(bound, sense === 1 ? 'up' : 'down'))[0] ?? bound;
};

/** Tells whether a limit refuses a value that the schema may have. */
export const isLimitedBy = (schema: MergedSchema, kind: LimitKind, limit: Limit): boolean => {
  const bound = boundOf(schema, kind);
  return bound === undefined || compareStrictness(limit, bound, kind.sense) > 0;
};

/** Tells whether lists of the schema may have more items. */
export const mayExceed = (schema: MergedSchema, items: number): boolean =>
  isLimitedBy(schema, mostItems, { value: items, exclusive: false });

/** Tells whether a numeric format refuses none of the integers that the schema may have. */
export const isInRange = (schema: MergedSchema, { value }: Keyword<string>): boolean => {
  const range = rangesOfFormats.integer?.get(value);
  if (range === undefined || schema.types.has('fraction')) return false;
  return numberLimits.every(
    (kind, at) => !isLimitedBy(schema, kind, { value: range[at === 0 ? 0 : 1], exclusive: false }),
  );
};

/** Tells whether the values of a type are all below those of another schema. */
export const areBelow = (one: MergedSchema, other: MergedSchema, type: ValueType): boolean => {
  const [lower, upper] = limitKinds.filter(({ types }) => types.includes(type));
  const [greatest, least] = [upper && boundOf(one, upper), lower && boundOf(other, lower)];
  if (greatest === undefined || least === undefined) return false;
  const order = compareExactly(greatest.value, least.value);
  return order < 0 || (order === 0 && (greatest.exclusive || least.exclusive));
};
