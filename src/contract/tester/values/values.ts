/** Arbitrary values of schemas, typed as the engine has them: int64 is bigint, binary is bytes. One place may be spoilt. */

import fc from 'fast-check';
import { compareExactly, isNumeric } from '../../../base/exact-number';
import { writeJson } from '../../../base/json/write-json';
import type { SchemaContext } from '../../../engine';
import type { Schema } from '../../../model/schema';
import { memberNames } from '../../../schema/samples/sample-composites';
import {
  choicesOf,
  planOf,
  type SamplePlan,
  typedValue,
  wholeSchema,
} from '../../../schema/samples/sample-plan';
import { encodedText, isJsonText } from '../../../schema/samples/sample-texts';
import { largest } from '../../../schema/samples/sampling';
import { changedView } from '../../../schema/schema-view';
import { valueKey } from '../../../schema/validation/checks/equality-checks';
import { integerArbitrary, numberArbitrary } from './numbers';
import { type Alphabet, keepFitting, textArbitrary, textsOfLength } from './texts';

/** In place of a value: the property is left out. */
export const absent: unique symbol = Symbol('absent');

/** A place in a value, and what stands there instead of what its schema says. */
export interface Replacement {
  /** Names of properties, indexes of items with a place of their own, and `*` for the first of the other items. */
  readonly path: readonly string[];
  /** The branches to take of the choices on the way there; the first by default. */
  readonly branches: readonly number[];
  readonly value: fc.Arbitrary<unknown>;
  /** Values next to a limit, the nearest first: they are tried before others. */
  readonly near?: readonly fc.Arbitrary<unknown>[];
}

/** Options for making values. */
export interface ValueOptions {
  readonly tools: SchemaContext;
  readonly alphabet: Alphabet;
  /** The presence of optional properties: always, sometimes (true) or never (false). */
  readonly optional: boolean | 'always';
  /** Levels that may follow; below, only what is required is made. */
  readonly depth: number;
  readonly replacement?: Replacement | undefined;
}

/** Values, where there are some. */
export type Maybe = fc.Arbitrary<unknown> | undefined;

const anything = fc.oneof(fc.integer(), fc.boolean(), fc.constantFrom('text', 'é'));

/** Gives the options for a part: it holds the replacement where the path leads through it. */
const deeper = (options: ValueOptions, step: string): ValueOptions => {
  const { replacement, depth } = options;
  const [first, ...path] = replacement?.path ?? [];
  return {
    ...options,
    depth: depth - 1,
    replacement: replacement && first === step ? { ...replacement, path } : undefined,
  };
};

/** The number of items beyond the least, where more make no difference. */
const MOST_MORE = 4;

const listOf = (plan: SamplePlan, options: ValueOptions): Maybe => {
  const { minItems, maxItems, uniqueItems, positions, contained } = plan;
  const [step] = options.replacement?.path ?? [];
  const replaced = step === undefined ? 0 : 1 + (step === '*' ? positions : Number(step));
  const usual = options.optional ? positions : Math.min(positions, minItems);
  const least = contained.length > 0 ? plan.leastItems : 0;
  // Made one by one: those with a place of their own, a spoilt one and those that the list must contain.
  const fixed = Math.min(maxItems, Math.max(replaced, usual, least));
  if (fixed > largest.request.items) return undefined;
  const stepAt = (index: number) => (index === positions ? '*' : String(index));
  const head = plan
    .slots(fixed)
    .flatMap(
      (schemas, index) => valueArbitrary(planOf(schemas), deeper(options, stepAt(index))) ?? [],
    );
  if (head.length < fixed) return minItems === 0 ? fc.constant([]) : undefined;
  const tail = tailOf(plan, fixed, options);
  const list =
    tail && fc.tuple(fc.tuple(...head), tail).map(([first, rest]) => [...first, ...rest]);
  const isPlain = fixed === 0 || options.replacement !== undefined;
  const fits = (items: readonly unknown[]) =>
    items.length <= maxItems &&
    (!uniqueItems || new Set(items.map(valueKey)).size === items.length);
  return isPlain ? list : list && keepFitting(list, fits);
};

/** The items behind those that are made one by one; only what must be there where one of those is what counts. */
const tailOf = (plan: SamplePlan, fixed: number, options: ValueOptions) => {
  const { maxItems, uniqueItems } = plan;
  const { optional, replacement } = options;
  const least = Math.max(0, plan.minItems - fixed);
  const schemas = fixed < maxItems ? plan.itemAt(fixed) : undefined;
  const item = schemas && valueArbitrary(planOf(schemas), deeper(options, ''));
  if (item === undefined) return least === 0 ? fc.constant([]) : undefined;
  const isBare = fixed > 0 && (!optional || replacement !== undefined);
  const limit = isBare ? least : maxItems - fixed;
  const usual = optional ? least + MOST_MORE : Math.max(1, least);
  const most = Math.min(optional && limit < Infinity ? limit : usual, limit, largest.request.items);
  if (least > most) return undefined;
  const make = (minLength: number, maxLength: number): fc.Arbitrary<unknown[]> =>
    uniqueItems
      ? fc.uniqueArray(item, { minLength, maxLength, selector: valueKey })
      : fc.array(item, { minLength, maxLength, size: 'max' });
  const near = make(least, Math.min(most, least + MOST_MORE));
  return most > MOST_MORE && !uniqueItems ? fc.oneof(near, make(most, most)) : near;
};

const propertyOf = (
  name: string,
  plan: SamplePlan,
  options: ValueOptions,
): readonly [string, fc.Arbitrary<unknown>] | undefined => {
  const isReplaced = options.replacement?.path[0] === name;
  const schemas = plan.propertyAt(name);
  if (schemas === undefined && !isReplaced) return undefined;
  const inner = planOf(schemas ?? []);
  // OAS 3.0.3, Schema Object: readOnly properties should not be sent.
  if (!isReplaced && inner.isMarked('readOnly')) return undefined;
  const { required, minProperties } = plan;
  const isNeeded = isReplaced || required.has(name) || minProperties > required.size;
  const presence = isNeeded ? 'always' : options.depth > 0 && options.optional;
  const value = presence ? valueArbitrary(inner, deeper(options, name)) : undefined;
  if (value === undefined) return undefined;
  return [name, presence === 'always' ? value : fc.option(value, { nil: absent, freq: 3 })];
};

const objectOf = (plan: SamplePlan, options: ValueOptions): Maybe => {
  const { required } = plan;
  const replaced = options.replacement?.path.slice(0, 1) ?? [];
  const isShown = options.optional !== false && options.depth > 0;
  const members: (readonly [string, fc.Arbitrary<unknown>])[] = [];
  for (const name of memberNames(plan, isShown, largest.request, replaced)) {
    const member = propertyOf(name, plan, options);
    if (member !== undefined) members.push(member);
    else if (required.has(name) && !planOf(plan.propertyAt(name) ?? []).isMarked('readOnly')) {
      // At once: in a schema that requires itself, the rest would multiply with each level.
      return undefined;
    }
  }
  return fc.tuple(...members.map(([, value]) => value)).map((values) => {
    const entries = members.map(([name], index) => [name, values[index]] as const);
    const present = entries.filter(([, value]) => value !== absent);
    const weightOf = ([name]: readonly [string, unknown]) =>
      Number(required.has(name) || name === replaced[0]);
    const neededFirst = present.toSorted((one, other) => weightOf(other) - weightOf(one));
    return Object.fromEntries(neededFirst.slice(0, plan.maxProperties));
  });
};

const stringOf = (plan: SamplePlan, options: ValueOptions): Maybe => {
  if (plan.isBinary) {
    const minLength = Math.max(1, plan.minLength);
    const usual = plan.maxLength === Infinity ? Math.max(64, minLength) : plan.maxLength;
    const maxLength = Math.min(usual, largest.request.text);
    if (minLength > maxLength) return undefined;
    return fc.uint8Array({ minLength, maxLength, size: 'max' });
  }
  if (plan.format === 'decimal') return numberArbitrary(plan)?.map(String);
  if (!isJsonText(plan)) return textArbitrary(plan, options.alphabet);
  const { schemas } = plan.content;
  const content = schemas.length === 0 ? anything : valueArbitrary(planOf(schemas), options);
  return content?.map((value) => encodedText(writeJson(value), plan));
};

/** Values of a plan without unions. */
export const arbitraryOfType = (plan: SamplePlan, options: ValueOptions): Maybe => {
  switch (plan.type) {
    case 'string':
      return stringOf(plan, options);
    case 'integer':
      return integerArbitrary(plan);
    case 'number':
      return numberArbitrary(plan);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return listOf(plan, options);
    case 'object':
      return objectOf(plan, options);
    case 'null':
      return fc.constant(null);
    case 'none':
      return undefined;
    case 'any':
      return anything;
  }
};

/** Values of the branches of the first choice of a plan. Others than the first may lead back to where they are made. */
const ofChoices = (choices: readonly SamplePlan[], plan: SamplePlan, options: ValueOptions) => {
  const { replacement, depth, tools } = options;
  if (replacement !== undefined) {
    const [branch = 0, ...branches] = replacement.branches;
    const chosen = choices[branch];
    const inner = { ...options, replacement: { ...replacement, branches } };
    // A value that is being spoilt fits no branch in the end.
    return chosen && valueArbitrary(chosen, inner);
  }
  const few = depth <= 0 ? choices.slice(0, 1) : choices;
  const branches = few.flatMap((choice) => valueArbitrary(choice, options) ?? []);
  if (branches.length === 0) return undefined;
  return keepFitting(fc.oneof(...branches), tools.validators.accepts(wholeSchema(plan), 'request'));
};

const ofEnumeration = (values: readonly unknown[], plan: SamplePlan, { tools }: ValueOptions) =>
  values.length === 0
    ? undefined
    : fc.constantFrom(...values.map(typedValue(wholeSchema(plan), tools.shapeOf)));

/**
 * Values that fit the plan, so far as its keywords tell; undefined where none can be made. What a schema says by `not` has to be
 * looked at afterwards.
 */
export const valueArbitrary = (plan: SamplePlan, options: ValueOptions): Maybe => {
  if (options.replacement?.path.length === 0) return options.replacement.value;
  // The deepest that anything is made, required or not: such a schema has no finite values.
  const deepest = -6;
  if (options.depth < deepest) return undefined;
  const { enumerated, nullable, type } = plan;
  if (enumerated !== undefined) return ofEnumeration(enumerated, plan, options);
  const choices = choicesOf(plan);
  const value =
    choices.length > 0 ? ofChoices(choices, plan, options) : arbitraryOfType(plan, options);
  const mayBeNull =
    nullable && type !== 'null' && options.replacement === undefined && options.optional === true;
  return value && mayBeNull ? fc.option(value, { freq: 6 }) : value;
};

/** The least and the greatest of numbers: the ends of a range are made more often than others. */
export const endsOf = (numbers: Maybe): fc.Arbitrary<unknown>[] => {
  const made = numbers ? fc.sample(numbers, { numRuns: 120, seed: 1 }) : [];
  const sorted = made.filter(isNumeric).toSorted(compareExactly);
  return sorted.length === 0 ? [] : [fc.constant(sorted[0]), fc.constant(sorted.at(-1))];
};

/** Gives the values of a plan that are next to its limits, and all of which there are few. */
export const edgeValues = (plan: SamplePlan, options: ValueOptions): fc.Arbitrary<unknown>[] => {
  if (options.depth < 0 || plan.isMarked('readOnly')) return [];
  const { enumerated, type, contained, minItems, maxItems } = plan;
  // The most values of an enumeration that are tried one by one.
  const mostListed = 12;
  const all = type === 'boolean' ? [true, false] : enumerated?.slice(0, mostListed);
  if (all) return all.flatMap((value) => ofEnumeration([value], plan, options) ?? []);
  const choices = choicesOf(plan);
  if (choices.length > 0) return choices.flatMap((choice) => edgeValues(choice, options));
  const counts = (least: number, most: number) =>
    [most, least].filter((count) => count > 0 && count < Infinity);
  const turn = (changes: Partial<SamplePlan>) =>
    arbitraryOfType(changedView(plan, changes), { ...options, optional: 'always' }) ?? [];
  // Each in a value of its own.
  const ofMember = (step: string, schemas: readonly Schema[] | undefined) =>
    (schemas ? edgeValues(planOf(schemas), deeper(options, step)) : []).flatMap((value) => {
      const replacement = { path: [step], branches: [], value };
      return valueArbitrary(plan, { ...options, replacement }) ?? [];
    });
  // Several items show how they are told apart.
  const several = maxItems < Infinity ? maxItems : Math.max(2, minItems);
  switch (type) {
    case 'integer':
    case 'number':
      return endsOf(arbitraryOfType(plan, options));
    case 'string':
      // The longest of characters that take much room, the shortest of letters.
      return counts(plan.minLength, plan.maxLength).flatMap((length, at) =>
        plan.isBinary ? [] : (textsOfLength(plan, options.alphabet, length).at(-at) ?? []),
      );
    case 'array':
      return [
        ...counts(minItems, several).flatMap((count) => turn({ minItems: count, maxItems: count })),
        ...contained
          .flatMap((one) => counts(one.least, one.most))
          .flatMap((least) => {
            const exact = contained.map((one) => ({ ...one, least }));
            return turn({ contained: exact, maxItems: Math.max(minItems, least) });
          }),
        ...ofMember('*', plan.itemAt(plan.positions)),
      ];
    case 'object':
      return [
        ...counts(plan.minProperties, plan.maxProperties).flatMap((count) =>
          turn({ minProperties: count, maxProperties: count }),
        ),
        ...plan.names.flatMap((name) => ofMember(name, plan.propertyAt(name))),
      ];
    default:
      return [];
  }
};
