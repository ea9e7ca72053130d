/** Values that break one rule of a schema: every rule at every place. */

import fc from 'fast-check';
import { isNumeric } from '../../../base/exact-number';
import { isPlainObject } from '../../../base/plain-object';
import type { Schema } from '../../../model/schema';
import { undeclaredNames } from '../../../schema/samples/sample-composites';
import { choicesOf, planOf, SamplePlan } from '../../../schema/samples/sample-plan';
import { patternTexts } from '../../../schema/samples/sample-texts';
import { largest } from '../../../schema/samples/sampling';
import { changedView, type Limit } from '../../../schema/schema-view';
import { integerRangeOf } from '../../../schema/validation/checks/integer-ranges';
import { keepFitting, textsAgainst, textsAgainstPatterns, textsOfLength } from './texts';
import {
  absent,
  arbitraryOfType,
  endsOf,
  type Replacement,
  type ValueOptions,
  valueArbitrary,
} from './values';

/** The keyword that a value breaks, each with what is then said of the value. */
export const brokenWords = {
  type: 'of another type',
  format: 'against its format',
  nullable: 'null',
  enum: 'none of the listed values',
  minimum: 'below its minimum',
  maximum: 'above its maximum',
  multipleOf: 'no multiple of its step',
  minLength: 'too short',
  maxLength: 'too long',
  pattern: 'against its pattern',
  minItems: 'with too few items',
  maxItems: 'with too many items',
  items: 'with an item beyond the last that is allowed',
  unevaluatedItems: 'with an item that no keyword allows',
  uniqueItems: 'with an item twice',
  contains: 'without the items that it must contain',
  maxContains: 'with too many of the items that it must contain',
  required: 'missing',
  properties: 'though the property is not allowed',
  additionalProperties: 'though no such property is allowed',
  unevaluatedProperties: 'though no keyword allows such a property',
  propertyNames: 'though no property may have such a name',
  minProperties: 'with too few properties',
  maxProperties: 'with too many properties',
  patternProperties: 'though no property of such a name is allowed',
  oneOf: 'of two kinds at once',
  not: 'as it must not be',
} as const;

type BrokenRule = keyof typeof brokenWords;

/** A name that no document declares. */
const undeclaredName = 'undeclaredByTheDocument';

type Values = fc.Arbitrary<unknown> | undefined;

/** A rule, and values that break it, where there are some: the last ones in general, those before them next to the limit. */
type Broken = readonly [rule: BrokenRule, ...values: (Values | false)[]];

/** Some values, for a rule that needs no others. */
const constants = (...values: readonly unknown[]): Values =>
  values.length === 0 ? undefined : fc.constantFrom(...values);

/** The plan's values with other plan, where nothing enumerates them. */
type Turn = (changed: Partial<SamplePlan>) => Values;

/** A limit that begins where the other one ends. */
const beyond = ({ value, exclusive }: Limit): Limit => ({ value, exclusive: !exclusive });

const betweenMultiples = (plan: SamplePlan, turn: Turn): Values => {
  const { type } = plan;
  const step = Math.max(0, ...plan.values('multipleOf').map(Number));
  if (step === 0 || (type === 'integer' && step <= 1)) return undefined;
  const offset = type === 'integer' ? 1 : step / 2;
  return turn({})?.map((one) =>
    typeof one === 'bigint' && type === 'integer'
      ? one + BigInt(Math.trunc(offset))
      : (isNumeric(one) ? Number(one) : Number.NaN) + offset,
  );
};

const outOfRange = ({ type, format, minimum, maximum }: SamplePlan): Values => {
  const range = type === 'integer' ? integerRangeOf(format) : undefined;
  if (range === undefined) return undefined;
  return constants(...(maximum ? [] : [range.most + 1n]), ...(minimum ? [] : [range.least - 1n]));
};

/** The rules of a number, each broken. */
const brokenNumber = (plan: SamplePlan, turn: Turn): Broken[] => {
  const { minimum, maximum } = plan;
  const below = minimum && turn({ minimum: undefined, maximum: beyond(minimum) });
  const above = maximum && turn({ maximum: undefined, minimum: beyond(maximum) });
  return [
    ['minimum', endsOf(below)[1], below],
    ['maximum', endsOf(above)[0], above],
    ['multipleOf', betweenMultiples(plan, turn)],
    ['format', outOfRange(plan)],
  ];
};

/** Values of each type; an integer is a number, too. */
const ofTypes: readonly (readonly [string, unknown])[] = [
  ['string', 'text'],
  ['string', 'maybe'],
  ['number', 1.5],
  ['integer', 7],
  ['boolean', true],
  ['object', { a: 'b' }],
  ['array', []],
  ['array', [1]],
];

/** Right values as programs write them that take no care of types: each is refused for its type alone. */
const nearTypes = (plan: SamplePlan, turn: Turn): Values[] => {
  const right = plan.enumerated ? undefined : turn({});
  const asText = right?.map((value) => (isNumeric(value) ? String(value) : String(value)));
  switch (plan.type) {
    case 'integer':
      return [endsOf(right)[0]?.map((value) => Number(value) + 0.5), asText, fc.constant(true)];
    case 'number':
      return [asText];
    case 'boolean':
      return [asText, constants(0, 1)];
    case 'string':
      return [constants(Number('1'.repeat(Math.min(15, Math.max(1, plan.minLength)))))];
    case 'array':
      return [right?.map((list) => Object(list)[0] ?? 'text')];
    default:
      return [];
  }
};

/** Values of the types that the plan does not allow. */
const ofOtherTypes = (plan: SamplePlan): readonly unknown[] => {
  const types: readonly string[] = plan.sharedTypes ?? [plan.type];
  if (types.includes('any')) return [];
  const isAllowed = (one: string) =>
    types.includes(one) || (one === 'integer' && types.includes('number'));
  return ofTypes.filter(([one]) => !isAllowed(one)).map(([, value]) => value);
};

const brokenText = (plan: SamplePlan, turn: Turn, options: ValueOptions): Broken[] => {
  const { minLength, maxLength, format, isBinary } = plan;
  if (isBinary) return [];
  const { alphabet } = options;
  const longer = { minLength: maxLength + 1, maxLength: maxLength + 1 };
  const shorter = minLength > 0 && turn({ minLength: 0, maxLength: minLength - 1 });
  return [
    ['minLength', ...textsOfLength(plan, alphabet, minLength - 1), shorter],
    [
      'maxLength',
      textsOfLength(plan, alphabet, maxLength + 1).at(-1),
      maxLength < largest.request.text && turn(longer),
    ],
    ['pattern', ...textsAgainstPatterns(plan, alphabet)],
    ['format', ...textsAgainst(format).map((text) => fc.constant(text))],
  ];
};

const repeated =
  (count: number) =>
  (list: unknown): unknown[] =>
    Array.isArray(list) ? Array.from({ length: count }, () => list[0]) : [];

/** A list whose first item comes again at the end, the members of an object in another order. */
const withFirstAgain = (list: unknown): unknown[] => {
  const [first, ...others] = Array.isArray(list) ? list : [];
  const again = isPlainObject(first)
    ? Object.fromEntries(Object.entries(first).toReversed())
    : first;
  return [first, ...others, again];
};

/** Lists with other numbers of the items that they must contain. */
const brokenContained = (plan: SamplePlan, turn: Turn, { tools }: ValueOptions): Broken[] => {
  const all = plan.contained;
  return all.flatMap((one): Broken[] => {
    const { schema, least, most } = one;
    const isContained = tools.validators.accepts(schema, 'request');
    const contained = (count: number) =>
      all.map((other) => (other === one ? { ...one, least: count } : other));
    const isFew = (list: unknown) => Array.isArray(list) && list.filter(isContained).length < least;
    const fewer = least > 0 && turn({ contained: contained(least - 1) });
    return [
      ['contains', fewer && keepFitting(fewer, isFew)],
      ['maxContains', most < largest.request.items && turn({ contained: contained(most + 1) })],
    ];
  });
};

const brokenList = (plan: SamplePlan, turn: Turn, options: ValueOptions): Broken[] => {
  const { minItems, maxItems, uniqueItems, closesItems } = plan;
  const free = { contained: [] };
  const one = turn({ ...free, minItems: 1, maxItems: 1, uniqueItems: false });
  const fewer = { minItems: minItems - 1, maxItems: minItems - 1 };
  const several = Math.max(2, minItems - 1);
  const longer = { minItems: maxItems + 1, maxItems: maxItems + 1 };
  const anyAfter = (index: number) => (index < maxItems ? plan.itemAt(index) : []);
  const more =
    maxItems < largest.request.items &&
    turn(closesItems ? { ...longer, itemAt: anyAfter } : longer);
  return [
    ['minItems', minItems > 0 && turn({ ...free, ...fewer })],
    [closesItems ?? 'maxItems', more],
    [
      'uniqueItems',
      uniqueItems && maxItems >= 2 && one?.map(repeated(Math.max(2, minItems))),
      uniqueItems && turn({ minItems: several, maxItems: several })?.map(withFirstAgain),
    ],
    ...brokenContained(plan, turn, options),
  ];
};

const brokenCounts = (
  { minProperties, required, maxProperties }: SamplePlan,
  turn: Turn,
): Broken[] => {
  const fewer = { minProperties: minProperties - 1, maxProperties: minProperties - 1 };
  const more = { minProperties: maxProperties + 1, maxProperties: maxProperties + 1 };
  return [
    ['minProperties', minProperties > required.size && turn(fewer)],
    ['maxProperties', maxProperties < largest.request.items && turn(more)],
  ];
};

const byType = (plan: SamplePlan, turn: Turn, options: ValueOptions): Broken[] => {
  switch (plan.type) {
    case 'string':
      return brokenText(plan, turn, options);
    case 'integer':
    case 'number':
      return brokenNumber(plan, turn);
    case 'array':
      return brokenList(plan, turn, options);
    case 'object':
      return brokenCounts(plan, turn);
    default:
      return [];
  }
};

/** Values that an enumeration does not list: the next ones, in capitals and by one more, before others. */
const unlisted = (enumerated: readonly unknown[], { type }: SamplePlan): Values[] => {
  const next = enumerated.map((value) =>
    isNumeric(value) ? Number(value) + 1 : String(value).toUpperCase(),
  );
  const isNumber = type === 'integer' || type === 'number';
  const isNear = (value: unknown) => !enumerated.includes(value) && isNumeric(value) === isNumber;
  const near = next.filter(isNear);
  return [
    constants(...near.slice(0, 1)),
    constants(...near),
    constants(isNumber ? 918_273 : 'noneOfThem'),
  ];
};

/** Makes values that break the rules of the value itself. */
const brokenRules = (plan: SamplePlan, { replacement, ...options }: ValueOptions): Broken[] => {
  const { enumerated, nullable, type } = plan;
  const turn: Turn = (changed) =>
    arbitraryOfType(changedView(plan, { enumerated: undefined, ...changed }), options);
  const together = (...more: readonly Schema[]): Values => {
    const { parts, unions, ...origin } = planOf(more);
    return valueArbitrary(new SamplePlan([...plan.parts, ...parts], unions, origin), options);
  };
  const others = ofOtherTypes(plan);
  const byKeyword: Broken[] = enumerated
    ? [['enum', ...unlisted(enumerated, plan)]]
    : byType(plan, turn, options);
  return [
    ...byKeyword,
    ['type', ...(others.length > 0 ? nearTypes(plan, turn) : []), constants(...others)],
    ['nullable', !nullable && type !== 'any' && fc.constant(null)],
    ...plan.values('not').map((schema): Broken => ['not', together(schema)]),
    ...plan.parts
      .filter(({ oneOf }) => oneOf.length > 1)
      .map(({ oneOf }): Broken => ['oneOf', together(...oneOf.slice(0, 2))]),
  ];
};

/** A rule broken at one place; the values there are wrong so far as the keywords of the place tell. */
export interface WrongValue extends Replacement {
  readonly broken: BrokenRule;
}

const inside = (
  step: string,
  schemas: readonly Schema[] | undefined,
  options: ValueOptions,
): WrongValue[] =>
  schemas === undefined || planOf(schemas).isMarked('readOnly')
    ? []
    : wrongValues(planOf(schemas), { ...options, depth: options.depth - 1 }).map((wrong) => ({
        ...wrong,
        path: [step, ...wrong.path],
      }));

const at = (step: string, broken: BrokenRule, value: unknown): WrongValue => ({
  path: [step],
  branches: [],
  broken,
  value: fc.constant(value),
});

/** Undeclared properties: those that are not allowed, those with a wrong name, and wrong values of the others. */
const ofUndeclared = (plan: SamplePlan, options: ValueOptions): WrongValue[] => {
  const { namePatterns } = plan;
  const isClosed = plan.values('additionalProperties').length > 0;
  const keyword = isClosed ? 'additionalProperties' : 'unevaluatedProperties';
  const free = plan.propertyAt(undeclaredName);
  const shown = undeclaredNames(plan, Math.max(1, namePatterns.length));
  const wrongNames = plan.values('propertyNames').flatMap((schema) =>
    brokenRules(planOf([schema]), options).flatMap(([, ...values]) => {
      const last = values.findLast(Boolean);
      return last
        ? fc.sample(last, { numRuns: 5, seed: 1 }).filter((name) => typeof name === 'string')
        : [];
    }),
  );
  return [
    ...(free === undefined ? [at(undeclaredName, keyword, 'undeclared')] : []),
    ...namePatterns
      .flatMap(
        (pattern) => patternTexts(pattern)?.(0, { least: 0, most: largest.request.text }) ?? [],
      )
      .filter((name) => plan.propertyAt(name) === undefined)
      .map((name) => at(name, 'patternProperties', 'not allowed')),
    ...[...new Set(wrongNames)].slice(0, 3).map((name) => at(name, 'propertyNames', 'named')),
    ...shown.flatMap((name) => inside(name, plan.propertyAt(name), options)),
  ];
};

const ofProperties = (plan: SamplePlan, options: ValueOptions): WrongValue[] => {
  const { names, required } = plan;
  const isSent = (name: string) => {
    const schemas = plan.propertyAt(name);
    return schemas !== undefined && !planOf(schemas).isMarked('readOnly');
  };
  return [
    ...[...required].filter(isSent).map((name) => at(name, 'required', absent)),
    ...names
      .filter((name) => plan.propertyAt(name) === undefined)
      .map((name) => at(name, 'properties', 'not allowed')),
    ...names.flatMap((name) => inside(name, plan.propertyAt(name), options)),
    ...ofUndeclared(plan, options),
  ];
};

const ofItems = (plan: SamplePlan, options: ValueOptions): WrongValue[] => {
  const { positions, maxItems } = plan;
  const placed = Array.from({ length: Math.min(positions, maxItems) }, (_, index) =>
    inside(String(index), plan.itemAt(index), options),
  );
  return [
    ...placed.flat(),
    ...(positions < maxItems ? inside('*', plan.itemAt(positions), options) : []),
  ];
};

/** The rules of a plan, its choices left aside. */
const ofOnePlan = (plan: SamplePlan, options: ValueOptions): WrongValue[] => {
  const here = brokenRules(plan, options).flatMap(([broken, ...values]) => {
    const all = values.flatMap((value) => value || []);
    const value = all.at(-1);
    return value ? [{ path: [], branches: [], broken, value, near: all.slice(0, -1) }] : [];
  });
  const { type } = plan;
  if (type === 'object') return [...here, ...ofProperties(plan, options)];
  return type === 'array' ? [...here, ...ofItems(plan, options)] : here;
};

const keyOf = ({ path, broken }: WrongValue): string => [...path, broken].join('/');

/**
 * Every rule broken, at every place down to the depth of the options. Of a choice all rules of its first branch, and those that the
 * second one adds.
 */
export const wrongValues = (plan: SamplePlan, options: ValueOptions): WrongValue[] => {
  if (options.depth < 0) return [];
  const choices = choicesOf(plan).slice(0, 2);
  if (choices.length === 0) return ofOnePlan(plan, options);
  const [first = [], second = []] = choices.map((choice, branch) =>
    wrongValues(choice, options).map((wrong) => ({
      ...wrong,
      branches: [branch, ...wrong.branches],
    })),
  );
  const known = new Set(ofOnePlan(changedView(plan, { unions: [] }), options).map(keyOf));
  return [...first, ...second.filter((wrong) => !known.has(keyOf(wrong)))];
};
