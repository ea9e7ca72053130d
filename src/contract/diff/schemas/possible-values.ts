/**
 * The values that a schema lets through at most, whichever of its keywords say so: the normal form in which schemas are held
 * against each other. A keyword of the one is a change where it refuses values that the other one may have.
 */

import type { AST } from '@eslint-community/regexpp';
import { compareNumbers, type Decimal, decimalOf, integerLimit } from '../../../base/decimal';
import { pointerTo } from '../../../base/json-pointer';
import { memoize } from '../../../base/memoize';
import { type Schema, schemaOf } from '../../../model/schema';
import { parsePattern } from '../../../schema/validation/checks/pattern-check';
import type { Check } from '../../../schema/validation/checks/type-check';
import { checksOf, keywordError } from '../../../schema/validation/checks-of';
import type { Spot } from '../rules/finding';
import type { Side } from '../rules/rules';
import { isAny, type MergedSchema, type Property } from './merged-schema';
import { type Keyword, keywordsOf } from './schema-pair';
import { intersection, typeOfValue, type ValueType } from './schema-types';
import { exactNumber, keyAt, valueKey, valueSpot } from './spelling';

/** Keywords that a value is held against by itself. */
const decidable = [
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
] as const satisfies readonly (keyof Schema)[];

/** Makes the checks of some keywords; none of those that are wrong or unknown. */
const checksBy = (part: Schema, keywords: readonly (keyof Schema)[]): readonly Check[] => {
  const own = schemaOf(Object.fromEntries(keywords.map((keyword) => [keyword, part[keyword]])));
  return keywordError(own) === undefined ? checksOf(own) : [];
};

/** Tells whether a value passes checks; undefined of integers that no double holds, which were rounded. */
const passes = (value: unknown, checks: readonly Check[]): boolean | undefined =>
  Number.isInteger(value) && !Number.isSafeInteger(value)
    ? undefined
    : checks.every((check) => check.accepts(value));

/** Makes the test whether a schema may let a value through, by its types and decidable keywords. */
const testBy = ({ types, parts }: MergedSchema): ((value: unknown) => boolean) => {
  const checks = parts.flatMap((part) => checksBy(part, decidable));
  return (value) => types.has(typeOfValue(value)) && passes(value, checks) !== false;
};

/** Values by key, and the places where they are listed. */
type Listed = ReadonlyMap<string, Spot & { readonly value: unknown }>;

const listIn = (
  { document }: MergedSchema,
  { value: list, pointer }: Keyword<readonly unknown[]>,
): Listed =>
  new Map(
    list.map((value, at) => {
      const isOne = pointer.endsWith('/const');
      const spot = valueSpot(document, isOne ? pointer : pointerTo(pointer, at));
      return [keyAt(value, spot), Object.assign(spot, { value })];
    }),
  );

/** Gives the values that all enums of the schema list and its other keywords let through; undefined without an enum. */
export const enumOf = memoize((schema: MergedSchema): Listed | undefined => {
  const [first, ...rest] = keywordsOf(schema, 'enum').map((keyword) => listIn(schema, keyword));
  if (first === undefined) return undefined;
  const isLetThrough = testBy(schema);
  return new Map(
    [...first].filter(
      ([key, { value }]) => rest.every((other) => other.has(key)) && isLetThrough(value),
    ),
  );
});

type Sense = 1 | -1;

/** A limit of numbers, or of what counts characters, items and properties. */
interface Limit {
  readonly number: Decimal;
  readonly isExclusive: boolean;
}

/** A limit that a keyword says. */
export interface DeclaredLimit extends Limit, Keyword {}

/** A kind of limits: its name in rules, 1 for limits from below and -1 from above, the types that it is of, and its keywords. */
const limitKind = <Name extends string>(
  name: Name,
  sense: Sense,
  types: readonly [ValueType, ...ValueType[]],
  ...keywords: readonly (keyof Schema)[]
) => ({ name, sense, types, keywords });

export const limitKinds = [
  limitKind('minimum', 1, ['integer', 'fraction'], 'minimum', 'exclusiveMinimum'),
  limitKind('maximum', -1, ['integer', 'fraction'], 'maximum', 'exclusiveMaximum'),
  limitKind('min-length', 1, ['string'], 'minLength'),
  limitKind('max-length', -1, ['string'], 'maxLength'),
  limitKind('min-items', 1, ['array'], 'minItems'),
  limitKind('max-items', -1, ['array'], 'maxItems'),
  limitKind('min-properties', 1, ['object'], 'minProperties'),
  limitKind('max-properties', -1, ['object'], 'maxProperties'),
];

export type LimitKind = (typeof limitKinds)[number];

/** The least and the greatest of numbers, or of a count. */
type Range = readonly [least: number | bigint, greatest: number | bigint];

/** The numbers of a format and the lengths of its texts, whoever reads them (OAS 3.0.4, Data Types; RFC 3339, 5321, 1123, 3986). */
const rangesOfFormats: ReadonlyMap<string, Range> = new Map<string, Range>([
  ['int32', [-(2n ** 31n), 2n ** 31n - 1n]],
  ['int64', [-(2n ** 63n), 2n ** 63n - 1n]],
  ['date', [10, 10]],
  ['date-time', [20, Infinity]],
  ['duration', [3, Infinity]],
  ['email', [3, 320]],
  ['hostname', [1, 253]],
  ['ipv4', [7, 15]],
  ['ipv6', [2, 45]],
  ['uri', [2, Infinity]],
  ['uuid', [36, 36]],
]);

const numericFormat = /^(?:u?int\d+|float|double)$/;

const numeric: readonly ValueType[] = ['integer', 'fraction'];

/** The types that a format is of: of others it says nothing. */
const typesOfFormat = (format: string): readonly ValueType[] =>
  numericFormat.test(format) ? numeric : ['string'];

/** Lists the formats that say something of values of the schema. */
export const formatsOf = (schema: MergedSchema): readonly Keyword<string>[] =>
  keywordsOf(schema, 'format').filter(({ value }) =>
    typesOfFormat(value).some((type) => schema.types.has(type)),
  );

const formatRanges = (schema: MergedSchema, ofType: ValueType): readonly Range[] =>
  keywordsOf(schema, 'format').flatMap(({ value }) => {
    const range = typesOfFormat(value).includes(ofType) && rangesOfFormats.get(value);
    return range ? [range] : [];
  });

const hull = (ranges: readonly (readonly [number, number])[]) =>
  [
    Math.min(...ranges.map(([least]) => least)),
    Math.max(...ranges.map(([, greatest]) => greatest)),
  ] as const;

/** Counts the characters that elements of a pattern match one after the other. */
const widthOf = (elements: readonly AST.Element[]): readonly [number, number] =>
  elements.map(elementWidth).reduce((all, one) => [all[0] + one[0], all[1] + one[1]], [0, 0]);

function elementWidth(element: AST.Element): readonly [number, number] {
  if (element.type === 'Assertion') return [0, 0];
  if (element.type === 'Group' || element.type === 'CapturingGroup') {
    return hull(element.alternatives.map(({ elements }) => widthOf(elements)));
  }
  if (element.type === 'Quantifier') {
    const [least, greatest] = elementWidth(element.element);
    // What is empty stays so, however often it is repeated.
    return [least * element.min, greatest * element.max || 0];
  }
  return element.type.startsWith('Character') ? [1, 1] : [0, Infinity];
}

const isEdge = (element: AST.Element | undefined, kind: 'start' | 'end'): boolean =>
  element?.type === 'Assertion' && element.kind === kind;

/** Gives the lengths of the texts that a pattern matches; from one that is not read by characters nothing follows. */
const lengthsBy = memoize(
  (source: string): Range => {
    const parsed = parsePattern(source);
    if (parsed?.flags !== 'u') return [0, Infinity];
    return hull(
      parsed.pattern.alternatives.map(({ elements }) => {
        const [least, greatest] = widthOf(elements);
        const isWhole = isEdge(elements[0], 'start') && isEdge(elements.at(-1), 'end');
        return [least, isWhole ? greatest : Infinity];
      }),
    );
  },
  { max: 1000 },
);

/** The keyword of properties that a message of the side does not carry (OAS 3.0.3, Schema Object). */
const unsent = { request: 'readOnly', response: 'writeOnly', document: 'readOnly' } as const;

/** Tells whether messages of the side carry a property. */
export const isSent = (side: Side, property: Property | undefined): boolean =>
  property === undefined || keywordsOf(property.schema, unsent[side]).length === 0;

/** Tells whether no object of the schema has the property. */
export const isForbidden = (schema: MergedSchema, name: string): boolean =>
  !schema.properties().has(name) && schema.others(name).kind === 'none';

/** Lists the names that the properties of the schema may have; undefined where there may be any. */
export const namesOf = (schema: MergedSchema): readonly string[] | undefined => {
  const isClosed =
    schema.others().kind === 'none' && schema.parts.every((part) => !part.patternProperties);
  if (isClosed) return [...schema.properties().keys()];
  const names = schema.merge(keywordsOf(schema, 'propertyNames').map(({ value }) => value));
  const listed = enumOf(names);
  return listed && [...listed.values()].map(({ value }) => String(value));
};

/** The ranges that other keywords than limits set, by the first type that they are of. */
const rangesBy: Partial<Record<ValueType, (schema: MergedSchema, side: Side) => readonly Range[]>> =
  {
    integer: (schema) => formatRanges(schema, 'integer'),
    string: (schema) => [
      [0, Infinity],
      ...formatRanges(schema, 'string'),
      ...keywordsOf(schema, 'pattern').map(({ value }) => lengthsBy(value)),
    ],
    array: (schema) => {
      const positions = Array.from({ length: schema.prefixLength + 1 }, (_, at) => at);
      const end = positions.find((at) => schema.item(at)?.types.size === 0);
      const ofContains = keywordsOf(schema, 'contains').map(
        ({ value, part: { minContains = 1, maxContains = Infinity } }): Range => [
          minContains,
          isAny(value) ? maxContains : Infinity,
        ],
      );
      return [[0, end ?? Infinity], ...ofContains];
    },
    object: (schema, side) => {
      const properties = schema.properties();
      const required = [...schema.required().keys()].filter((name) =>
        isSent(side, properties.get(name)),
      );
      return [[required.length, namesOf(schema)?.length ?? Infinity]];
    },
  };

/** Measures a value: a number itself, and the count of all else. */
const sizeOf = ({ value, json }: Spot & { readonly value: unknown }): number | string => {
  if (typeof value === 'string') return [...value].length;
  if (typeof value === 'object') return Object.keys(value ?? {}).length;
  return Number.isSafeInteger(value) ? Number(value) : (json ?? String(value));
};

const limitsAt = (size: number | bigint | string): readonly Limit[] => {
  const number = decimalOf(String(size));
  return number === undefined ? [] : [{ number, isExclusive: false }];
};

/** Above 0 where the first limit is the stricter one. */
const compareLimits = (one: Limit, other: Limit, sense: Sense): number =>
  sense * compareNumbers(one.number, other.number) ||
  Number(one.isExclusive) - Number(other.isExclusive);

const strictest = <One extends Limit>(list: readonly One[], sense: Sense): One | undefined =>
  list.toSorted((one, other) => compareLimits(other, one, sense))[0];

const loosest = (list: readonly Limit[], sense: Sense): readonly Limit[] =>
  list.toSorted((one, other) => compareLimits(one, other, sense)).slice(0, 1);

/** Lists each occurrence of a limit. */
export const limitsOf = (schema: MergedSchema, keyword: keyof Schema): readonly DeclaredLimit[] =>
  keywordsOf(schema, keyword).flatMap((one) => {
    const number = exactNumber(schema.document, one.part, keyword);
    if (number === undefined) return [];
    const isExclusive = keyword.startsWith('exclusive');
    const text = isExclusive ? `${one.text} (exclusive)` : one.text;
    return [{ ...one, text, number, isExclusive }];
  });

/** Gives the limit that keywords of the kind say. */
export const declaredLimit = (
  schema: MergedSchema,
  { keywords, sense }: LimitKind,
): DeclaredLimit | undefined =>
  strictest(
    keywords.flatMap((keyword) => limitsOf(schema, keyword)),
    sense,
  );

/** Tells whether the schema has values that a limit is about. */
export const isOfKind = ({ types }: MergedSchema, kind: LimitKind): boolean =>
  kind.types.some((type) => types.has(type));

/** Gives the limit of the values by all keywords but unions. */
const ownBound = (schema: MergedSchema, kind: LimitKind, side: Side): Limit | undefined => {
  const { sense, types } = kind;
  const listed = [...(enumOf(schema)?.values() ?? [])]
    .filter(({ value }) => types.includes(typeOfValue(value)))
    .flatMap((one) => limitsAt(sizeOf(one)));
  const implied = (rangesBy[types[0]]?.(schema, side) ?? []).flatMap(([least, greatest]) =>
    limitsAt(sense === 1 ? least : greatest),
  );
  const declared = declaredLimit(schema, kind) ?? [];
  const bound = strictest([...loosest(listed, sense), ...implied].concat(declared), sense);
  const isWhole = types[0] === 'integer' && !schema.types.has('fraction');
  if (bound === undefined || !isWhole) return bound;
  // An integer above 4 is one from 5.
  const number = integerLimit(bound.number, bound.isExclusive, sense === 1 ? 'up' : 'down');
  return number === undefined ? bound : { number, isExclusive: false };
};

/** Gives the limit of the values: the strictest that keywords say, and the loosest of each union's branches. */
const boundOf = (schema: MergedSchema, kind: LimitKind, side: Side): Limit | undefined => {
  const ofUnions = schema.unions().flatMap(({ branches }) => {
    const bounds = branches
      .filter((branch) => isOfKind(branch, kind))
      .map((branch) => ownBound(branch, kind, side));
    const known = bounds.filter((bound) => bound !== undefined);
    return known.length === bounds.length ? loosest(known, kind.sense) : [];
  });
  return strictest(ofUnions.concat(ownBound(schema, kind, side) ?? []), kind.sense);
};

/** Tells whether a limit refuses a value that the schema may have. */
export const isLimitedBy = (
  schema: MergedSchema,
  kind: LimitKind,
  limit: Limit,
  side: Side,
): boolean => {
  const bound = boundOf(schema, kind, side);
  return bound === undefined || compareLimits(limit, bound, kind.sense) > 0;
};

/** Tells whether lists of the schema may have more or fewer items than a limit. */
export const mayHave = (schema: MergedSchema, items: 'fewer' | 'more', than: number): boolean => {
  const kind = limitKinds.find(
    ({ name }) => name === (items === 'more' ? 'max-items' : 'min-items'),
  );
  return limitsAt(than).some((limit) => !kind || isLimitedBy(schema, kind, limit, 'document'));
};

/** More integers are not held against keywords one by one. */
const MOST_INTEGERS = 100;

const valuesOfType = (schema: MergedSchema, type: ValueType): readonly unknown[] | undefined => {
  if (type === 'null') return [null];
  if (type === 'boolean') return [false, true];
  if (type !== 'integer') return undefined;
  const [least = NaN, greatest = NaN] = limitKinds.slice(0, 2).map((kind) => {
    const { digits, exponent } = boundOf(schema, kind, 'document')?.number ?? {};
    return Number(`${digits}e${exponent}`);
  });
  const count = greatest - least + 1;
  const isFew = count <= MOST_INTEGERS && [least, greatest].every(Number.isSafeInteger);
  return isFew ? Array.from({ length: Math.max(0, count) }, (_, at) => least + at) : undefined;
};

/** Gives all values that the schema may have, by key, where they are few: it lists them, as its branches do, or its types have no others. */
export const valuesOf = memoize(
  (schema: MergedSchema): ReadonlyMap<string, unknown> | undefined => {
    const ofBranches = schema.unions()[0]?.branches.map(enumOf) ?? [undefined];
    const lists = [enumOf(schema) ?? ofBranches].flat();
    if (!lists.includes(undefined)) {
      return new Map(
        lists.flatMap((list) => [...(list ?? [])].map(([key, { value }]) => [key, value])),
      );
    }
    const ofTypes = [...schema.types].map((type) => valuesOfType(schema, type));
    if (ofTypes.includes(undefined)) return undefined;
    return new Map(ofTypes.flat().map((value) => [valueKey(value), value]));
  },
);

/** Tells whether a keyword refuses none of the values that a schema may have, as far as these are few. */
export const isIdle = (
  { part }: Keyword,
  keyword: (typeof decidable)[number],
  schema: MergedSchema,
): boolean => {
  const checks = checksBy(part, [keyword]);
  const values = [...(valuesOf(schema)?.values() ?? [undefined])];
  return (
    checks.length > 0 &&
    values.every((value) => value !== undefined && passes(value, checks) === true)
  );
};

/** Tells whether a format refuses none of the values that a schema may have: they are few, or are integers that are within its range. */
export const isIdleFormat = (format: Keyword<string>, schema: MergedSchema): boolean => {
  const types = typesOfFormat(format.value);
  if (types.every((type) => !schema.types.has(type)) || isIdle(format, 'format', schema))
    return true;
  const range =
    types === numeric && !schema.types.has('fraction') && rangesOfFormats.get(format.value);
  if (!range) return false;
  return limitKinds
    .slice(0, 2)
    .every((kind, at) =>
      limitsAt(range[at] ?? Infinity).every(
        (limit) => !isLimitedBy(schema, kind, limit, 'document'),
      ),
    );
};

/** The depth to which tags are looked for. */
const DEEPEST = 3;

/** Tells whether each of the few values of the one is refused by the other. */
const refusesAll = (one: MergedSchema, other: MergedSchema): boolean => {
  const [values, listed] = [valuesOf(one), enumOf(other)];
  if (values === undefined) return false;
  const isLetThrough = testBy(other);
  return [...values].every(([key, value]) => listed?.has(key) === false || !isLetThrough(value));
};

/** Tells whether the values of a type are all beyond a limit of the other schema's. */
const areApart = (one: MergedSchema, other: MergedSchema, type: ValueType): boolean =>
  limitKinds
    .filter(({ sense, types }) => sense === -1 && types.includes(type))
    .some((kind) => {
      const lower = limitKinds[limitKinds.indexOf(kind) - 1] ?? kind;
      const [greatest, least] = [boundOf(one, kind, 'document'), boundOf(other, lower, 'document')];
      if (greatest === undefined || least === undefined) return false;
      const order = compareNumbers(greatest.number, least.number);
      return order < 0 || (order === 0 && (greatest.isExclusive || least.isExclusive));
    });

/** Tells whether each object of the first schema has a property that the other one does not allow. */
const isExcluded = (one: MergedSchema, other: MergedSchema): boolean =>
  [...one.required().keys()].some((name) => isForbidden(other, name));

/** A property that both require, and whose values differ. */
const haveTags = (one: MergedSchema, other: MergedSchema, depth: number): boolean =>
  [...one.required().keys()].some((name) => {
    const [mine, theirs] = [one.properties().get(name), other.properties().get(name)];
    if (!other.required().has(name) || mine === undefined || theirs === undefined) return false;
    return areDisjoint(mine.schema, theirs.schema, depth + 1);
  });

/** Tells whether no value fits both schemas; false where that is not obvious. */
export function areDisjoint(one: MergedSchema, other: MergedSchema, depth = 0): boolean {
  if (depth > DEEPEST) return false;
  if (refusesAll(one, other) || refusesAll(other, one)) return true;
  return [...intersection(one.types, other.types)].every(
    (type) =>
      areApart(one, other, type) ||
      areApart(other, one, type) ||
      (type === 'object' &&
        (haveTags(one, other, depth) || isExcluded(one, other) || isExcluded(other, one))),
  );
}
