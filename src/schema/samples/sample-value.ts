/** Makes a value that fits a schema: the document's own values first, then those of its type or of the branches of its unions. */

import { FuelExhausted, isExhaustion } from '../../base/fuel';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import type { Schema } from '../../model/schema';
import { valueKey } from '../validation/checks/equality-checks';
import type { Schemas } from '../validation/compile-validators';
import { type Fits, fitsOf } from './sample-checks';
import { sampleArrays, sampleObjects, sampleStrings } from './sample-composites';
import { sampleDecimals, sampleIntegers, sampleNumbers } from './sample-numbers';
import {
  choicesOf,
  exemplaryValues,
  planOf,
  type SamplePlan,
  typedValue,
  wholeSchema,
} from './sample-plan';
import {
  type Composite,
  isCut,
  type PartRequest,
  placeBelow,
  Replay,
  type SampleContext,
  type SamplePlace,
  take,
  topPlace,
} from './sampling';

/** Finds a property that breaks the other plan and is free in the chosen one; undefined where none is found. */
const decidingProperty = (
  object: PlainObject,
  chosen: SamplePlan,
  other: SamplePlan,
  { validators }: SampleContext,
): readonly [string, unknown] | undefined => {
  const name = other.names.find(
    (candidate) => !Object.hasOwn(object, candidate) && chosen.propertyAt(candidate)?.length === 0,
  );
  if (name === undefined) return undefined;
  const accepts = validators.accepts(wholeSchema(planOf(other.propertyAt(name) ?? [])), 'response');
  const value = ['string', 0, true, []].find((candidate) => !accepts(candidate));
  return value === undefined ? undefined : [name, value];
};

/** Adds to the objects of the chosen branch a deciding property for each other branch, where one exists. */
function* exclusiveObjects(
  values: Iterable<unknown>,
  chosen: SamplePlan,
  others: readonly SamplePlan[],
  context: SampleContext,
): Iterable<PlainObject> {
  const seen = new Set<string>();
  for (const object of values) {
    if (!isPlainObject(object)) continue;
    // Which property decides is a matter of the names alone.
    const names = JSON.stringify(Object.keys(object));
    if (seen.has(names)) continue;
    seen.add(names);
    const deciding = others.flatMap((other) => {
      const property = decidingProperty(object, chosen, other, context);
      return property === undefined ? [] : [property];
    });
    if (deciding.length > 0) {
      yield Object.fromEntries([...Object.entries(object), ...deciding]);
    }
  }
}

/** Candidates in a row that do not fit before a part is given up. */
const MOST_MISSES = 250;
/** Candidates of one branch before the next one has its turn. */
const MOST_OF_BRANCH = 20;

/** Values as the document spells them, typed; the shape is made only where there are any. */
const typedValues = (
  plan: SamplePlan,
  values: readonly unknown[],
  { shapeOf }: SampleContext,
): unknown[] => (values.length === 0 ? [] : values.map(typedValue(wholeSchema(plan), shapeOf)));

const ofType = (composite: Composite): Iterable<unknown> => {
  const { plan } = composite;
  switch (plan.type) {
    case 'string':
      return plan.format === 'decimal' ? sampleDecimals(plan) : sampleStrings(composite);
    case 'integer':
      return sampleIntegers(plan);
    case 'number':
      return sampleNumbers(plan);
    case 'boolean':
      return [true, false];
    case 'array':
      return sampleArrays(composite);
    case 'object':
      return sampleObjects(composite);
    default:
      return plan.type === 'any' ? ['string', 1, true, null, [], {}] : [];
  }
};

/** Values of each branch of the first union, then those that are of one branch alone. */
function* ofChoices(
  choices: readonly SamplePlan[],
  plan: SamplePlan,
  place: SamplePlace,
  context: SampleContext,
): Iterable<unknown> {
  for (const choice of choices) {
    context.spend();
    yield* take(typedValues(plan, exemplaryValues(choice), context), MOST_OF_BRANCH);
    yield* take(made(choice, place, context), MOST_OF_BRANCH);
  }
  for (const choice of choices) {
    const others = choices.filter((other) => other !== choice);
    const objects = take(made(choice, place, context), MOST_MISSES / 2);
    yield* exclusiveObjects(objects, choice, others, context);
  }
}

function* made(plan: SamplePlan, place: SamplePlace, context: SampleContext): Iterable<unknown> {
  const { enumerated } = plan;
  const choices = choicesOf(plan);
  if (enumerated !== undefined) {
    yield* typedValues(plan, enumerated, context);
  } else if (choices.length > 0) {
    yield* ofChoices(choices, plan, place, context);
  } else {
    const sampleParts: Composite['sampleParts'] = (part) => {
      const inner = planOf(part.schemas);
      return new Replay(sampleValues(inner, placeBelow(place, plan, part), context, part));
    };
    yield* ofType({ plan, lean: context.lean, sampleParts });
  }
  if (plan.nullable) yield null;
}

/** Keeps the candidates that fit and have not been seen. */
function* fitting(
  candidates: Iterable<unknown>,
  fits: Fits,
  seen: Set<string>,
  context: SampleContext,
): Iterable<unknown> {
  const isNew = (value: unknown) => seen.size < seen.add(valueKey(value)).size;
  let misses = 0;
  for (const candidate of candidates) {
    context.spend();
    if (fits(candidate) && isNew(candidate)) {
      misses = 0;
      yield candidate;
    } else {
      misses += 1;
      if (misses === MOST_MISSES) return;
    }
  }
}

/** Makes distinct values that fit the plan; those that are preferred come first, typed as the document spells them. */
function* sampleValues(
  plan: SamplePlan,
  place: SamplePlace,
  context: SampleContext,
  { need, preferred }: Pick<PartRequest, 'need' | 'preferred'>,
): Iterable<unknown> {
  context.spend();
  const fail = (reason: string): void => {
    if (place.matters) context.reasons.push(reason);
  };
  if (isCut(plan, place, need)) {
    fail(`the schema at ${place.pointer} requires itself without end`);
    return;
  }
  const fits = fitsOf(plan, context);
  const seen = new Set<string>();
  const given = typedValues(plan, [...preferred, ...exemplaryValues(plan)], context);
  yield* fitting(given, fits.given, seen, context);
  yield* fitting(made(plan, place, context), fits.made, seen, context);
  if (seen.size > 0) return;
  const { type, patterns } = plan;
  const what = patterns[0] === undefined ? 'its keywords together' : `the pattern ${patterns[0]}`;
  const kind = ['none', 'any'].includes(type) ? 'value' : type;
  fail(`no ${kind} was found at ${place.pointer || 'the top'} that fits ${what}`);
}

/** A value, or the reason why none can be made. */
export type Sample = { readonly value: unknown } | { readonly reason: string };

/** Steps that one search may take. */
const STEPS = 20_000;
/** A step may validate something large; a search that takes longer is given up all the same. */
const MILLISECONDS = 2_000;
/** Whole values that are tried. */
const MOST_WHOLE = 50;

const entangled = 'its schemas are too entangled';

const limitedSteps = (): (() => void) => {
  let left = STEPS;
  const end = performance.now() + MILLISECONDS;
  return () => {
    left -= 1;
    if (left < 0 || performance.now() > end) throw new FuelExhausted(entangled);
  };
};

const trySample = (plan: SamplePlan, context: SampleContext, given: readonly unknown[]): Sample => {
  const { reasons, validators } = context;
  const accepts = validators.accepts(wholeSchema(plan), 'response');
  try {
    const values = sampleValues(plan, topPlace, context, { need: 'required', preferred: given });
    for (const value of take(values, MOST_WHOLE)) {
      if (accepts(value)) return { value };
      if (reasons.length > 0) continue;
      const [error] = validators.validatorOf(wholeSchema(plan), 'response')(value);
      const reason = `${error?.message ?? 'does not fit'}, at ${error?.path || 'the top'}`;
      reasons.push(`what was made for it ${reason}`);
    }
  } catch (error) {
    if (!isExhaustion(error)) throw error;
    return { reason: entangled };
  }
  return { reason: reasons[0] ?? entangled };
};

/**
 * Makes a value that the schema's validator accepts in responses: with all properties if possible, else with the required ones.
 * @param given values to try before all others, as the document spells them
 */
export const sampleValue = (
  schema: Schema,
  schemas: Schemas,
  given: readonly unknown[] = [],
): Sample => {
  const plan = planOf([schema]);
  // The validator is compiled now, so that its compilation is not taken for a search without end.
  schemas.validators.accepts(wholeSchema(plan), 'response')(undefined);
  const sampleWith = (lean: boolean): Sample =>
    trySample(plan, { ...schemas, lean, spend: limitedSteps(), reasons: [] }, given);
  const full = sampleWith(false);
  return 'value' in full ? full : sampleWith(true);
};

/** Makes different values that fit the schema, best first; ends where no more are found within the steps of one search. */
export function* sampleSeries(schema: Schema, schemas: Schemas): Iterable<unknown> {
  const context = { ...schemas, lean: true, spend: limitedSteps(), reasons: [] };
  try {
    yield* sampleValues(planOf([schema]), topPlace, context, { need: 'required', preferred: [] });
  } catch (error) {
    if (!isExhaustion(error)) throw error;
  }
}
