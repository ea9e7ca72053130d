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
  type Maybe,
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

/** A rule, and values that break it, where there are some: the last ones in general, those before them next to the limit. */
type Broken = readonly [rule: BrokenRule, ...values: (Maybe | false)[]];

const constants = (values: readonly unknown[]): Maybe =>
  values.length === 0 ? undefined : fc.constantFrom(...values);

/** The plan's values with other plan, where nothing enumerates them. */
type Turn = (changed: Partial<SamplePlan>) => Maybe;

/** A limit that begins where the other one ends. */
const beyond = ({ value, exclusive }: Limit): Limit => ({ value, exclusive: !exclusive });

/** The rules of a number, each broken. */
const brokenNumber = (plan: SamplePlan, turn: Turn): Broken[] => {
  const { type, format, minimum, maximum } = plan;
  const below = minimum && turn({ minimum: undefined, maximum: beyond(minimum) });
  const above = maximum && turn({ maximum: undefined, minimum: beyond(maximum) });
  const isInteger = type === 'integer';
  const step = Math.max(0, ...plan.values('multipleOf').map(Number));
  const between = (one: unknown) =>
    typeof one === 'bigint' && isInteger ? one + 1n : Number(one) + (isInteger ? 1 : step / 2);
  const range = isInteger ? integerRangeOf(format) : undefined;
  const outside = range
    ? [maximum ? [] : range.most + 1n, minimum ? [] : range.least - 1n].flat()
    : [];
  return [
    ['minimum', endsOf(below)[1], below],
    ['maximum', endsOf(above)[0], above],
    ['multipleOf', step > (isInteger ? 1 : 0) && turn({})?.map(between)],
    ['format', constants(outside)],
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
const nearTypes = (plan: SamplePlan, turn: Turn): Maybe[] => {
  const right = plan.enumerated ? undefined : turn({});
  const asText = right?.map(String);
  switch (plan.type) {
    case 'integer':
      return [endsOf(right)[0]?.map((value) => Number(value) + 0.5), asText, fc.constant(true)];
    case 'number':
      return [asText];
    case 'boolean':
      return [asText, constants([0, 1])];
    case 'string':
      return [constants([Number('1'.repeat(Math.min(15, Math.max(1, plan.minLength))))])];
    case 'array':
      return [right?.map((list) => Object(list)[0] ?? 'text')];
    default:
      return [];
  }
};

/** Values of other types than the plan allows: right ones in another form before others. */
const ofOtherTypes = (plan: SamplePlan, turn: Turn): Maybe[] => {
  const types: readonly string[] = plan.sharedTypes ?? [plan.type];
  const isAllowed = (one: string) =>
    types.includes('any') || types.includes(one) || (one === 'integer' && types.includes('number'));
  const others = ofTypes.filter(([one]) => !isAllowed(one)).map(([, value]) => value);
  return others.length > 0 ? [...nearTypes(plan, turn), constants(others)] : [];
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
  const repeated = (list: unknown) =>
    Array.from({ length: Math.max(2, minItems) }, () => Object(list)[0]);
  // The members of an object come in another order.
  const withFirstAgain = (list: unknown) => {
    const [first, ...others] = Array.isArray(list) ? list : [];
    const members = isPlainObject(first) ? Object.entries(first).toReversed() : undefined;
    return [first, ...others, members ? Object.fromEntries(members) : first];
  };
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
      uniqueItems && maxItems >= 2 && one?.map(repeated),
      uniqueItems && turn({ minItems: several, maxItems: several })?.map(withFirstAgain),
    ],
    ...brokenContained(plan, turn, options),
  ];
};

const brokenCounts = (plan: SamplePlan, turn: Turn): Broken[] => {
  const { minProperties, required, maxProperties } = plan;
  const fewer = { minProperties: minProperties - 1, maxProperties: minProperties - 1 };
  const more = { minProperties: maxProperties + 1, maxProperties: maxProperties + 1 };
  return [
    ['minProperties', minProperties > required.size && turn(fewer)],
    ['maxProperties', maxProperties < largest.request.items && turn(more)],
  ];
};

const byType: Readonly<
  Partial<Record<string, (plan: SamplePlan, turn: Turn, options: ValueOptions) => Broken[]>>
> = {
  string: brokenText,
  integer: brokenNumber,
  number: brokenNumber,
  array: brokenList,
  object: brokenCounts,
};

/** Values that an enumeration does not list: the next ones, in capitals and by one more, before others. */
const unlisted = (enumerated: readonly unknown[], { type }: SamplePlan): Maybe[] => {
  const isNumber = type === 'integer' || type === 'number';
  const near = enumerated
    .map((value) => (isNumeric(value) ? Number(value) + 1 : String(value).toUpperCase()))
    .filter((value) => !enumerated.includes(value) && isNumeric(value) === isNumber);
  const other = isNumber ? 918_273 : 'noneOfThem';
  return [constants(near.slice(0, 1)), constants(near), fc.constant(other)];
};

/** Makes values that break the rules of the value itself. */
const brokenRules = (plan: SamplePlan, { replacement, ...options }: ValueOptions): Broken[] => {
  const { enumerated, nullable, type } = plan;
  const turn: Turn = (changed) =>
    arbitraryOfType(changedView(plan, { enumerated: undefined, ...changed }), options);
  const together = (...more: readonly Schema[]): Maybe => {
    const { parts, unions, ...origin } = planOf(more);
    return valueArbitrary(new SamplePlan([...plan.parts, ...parts], unions, origin), options);
  };
  const byKeyword: Broken[] = enumerated
    ? [['enum', ...unlisted(enumerated, plan)]]
    : (byType[type]?.(plan, turn, options) ?? []);
  return [
    ...byKeyword,
    ['type', ...ofOtherTypes(plan, turn)],
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

const isSent = (schemas: readonly Schema[] | undefined): schemas is readonly Schema[] =>
  schemas !== undefined && !planOf(schemas).isMarked('readOnly');

const inside = (
  step: string,
  schemas: readonly Schema[] | undefined,
  options: ValueOptions,
): WrongValue[] =>
  isSent(schemas)
    ? wrongValues(planOf(schemas), { ...options, depth: options.depth - 1 }).map((wrong) => ({
        ...wrong,
        path: [step, ...wrong.path],
      }))
    : [];

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
  const wrongNames = plan
    .values('propertyNames')
    .flatMap((schema) => brokenRules(planOf([schema]), options))
    .flatMap(([, ...values]) => values.findLast(Boolean) || [])
    .flatMap((values) => fc.sample(values, { numRuns: 5, seed: 1 }))
    .filter((name) => typeof name === 'string');
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
  const sent = [...required].filter((name) => isSent(plan.propertyAt(name)));
  return [
    ...sent.map((name) => at(name, 'required', absent)),
    ...names
      .filter((name) => plan.propertyAt(name) === undefined)
      .map((name) => at(name, 'properties', 'not allowed')),
    ...names.flatMap((name) => inside(name, plan.propertyAt(name), options)),
    ...ofUndeclared(plan, options),
  ];
};

/** The rules of a plan, its choices left aside. */
const ofOnePlan = (plan: SamplePlan, options: ValueOptions): WrongValue[] => {
  const here = brokenRules(plan, options).flatMap(([broken, ...values]) => {
    const all = values.flatMap((value) => value || []);
    const value = all.at(-1);
    return value ? [{ path: [], branches: [], broken, value, near: all.slice(0, -1) }] : [];
  });
  if (plan.type === 'object') return [...here, ...ofProperties(plan, options)];
  if (plan.type !== 'array') return here;
  const { positions, maxItems } = plan;
  // Of the items behind those with a place of their own the first.
  const indexes = Array.from({ length: Math.min(positions + 1, maxItems) }, (_, index) => index);
  const inItems = indexes.flatMap((index) =>
    inside(index < positions ? String(index) : '*', plan.itemAt(index), options),
  );
  return [...here, ...inItems];
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
