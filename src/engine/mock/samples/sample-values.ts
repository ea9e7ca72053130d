/** Values that fit a plan, best first: the document's own, then those of its type or of the branches of its unions. */

import { isPlainObject, type PlainObject } from '../../lang/plain-object';
import type { SchemaSource } from '../../schema/shape';
import { valueKey } from '../../schema/validation/checks/value-key';
import { enumeratedValues, exemplaryValues, typedValue } from './given-values';
import { sampleArrays } from './sample-arrays';
import { type Fits, fitsOf } from './sample-checks';
import { type SampleContext, wholeSchema } from './sample-context';
import { sampleIntegers, sampleNumbers } from './sample-numbers';
import { sampleObjects } from './sample-objects';
import {
  allowsNull,
  choicesOf,
  declaredNames,
  keywordOf,
  planOf,
  propertySchemas,
  type SamplePlan,
  typeOf,
} from './sample-plan';
import { sampleTexts } from './sample-texts';
import { isCut, type Need, type Place, placeBelow, type SampleParts, take } from './sampling';

/** A property that breaks the other plan and is free in the chosen one; undefined where there is none. */
const decidingProperty = (
  object: PlainObject,
  chosen: SamplePlan,
  other: SamplePlan,
  source: SchemaSource,
): readonly [string, unknown] | undefined => {
  const name = declaredNames(other).find(
    (candidate) =>
      !Object.hasOwn(object, candidate) && propertySchemas(chosen, candidate)?.length === 0,
  );
  if (name === undefined) return undefined;
  const type = typeOf(planOf(propertySchemas(other, name) ?? [], source));
  return type === 'any' ? undefined : [name, type === 'string' ? 0 : 'string'];
};

/** The objects of the chosen branch with a deciding property for each other branch, where there is one. */
export function* exclusiveObjects(
  values: Iterable<unknown>,
  chosen: SamplePlan,
  others: readonly SamplePlan[],
  source: SchemaSource,
): Iterable<PlainObject> {
  for (const object of values) {
    if (!isPlainObject(object)) continue;
    const deciding = others.flatMap((other) => {
      const property = decidingProperty(object, chosen, other, source);
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

const anything: readonly unknown[] = ['string', 1, true, null, [], {}];

const ofType = (
  plan: SamplePlan,
  attempt: SampleContext,
  sampleParts: SampleParts,
): Iterable<unknown> => {
  const { lean, tools } = attempt;
  switch (typeOf(plan)) {
    case 'string':
      return sampleTexts(plan);
    case 'integer':
      return sampleIntegers(plan);
    case 'number':
      return sampleNumbers(plan);
    case 'boolean':
      return [true, false];
    case 'array':
      return sampleArrays({ plan, lean, sampleParts });
    case 'object':
      return sampleObjects({ plan, lean, sampleParts }, tools.source);
    default:
      return anything;
  }
};

function* made(plan: SamplePlan, place: Place, attempt: SampleContext): Iterable<unknown> {
  const { tools } = attempt;
  const enumerated = enumeratedValues(plan);
  if (enumerated !== undefined) {
    yield* enumerated.map(typedValue(wholeSchema(plan), tools.shapeOf));
  } else if (plan.unions.length > 0) {
    const choices = choicesOf(plan, tools.source);
    for (const choice of choices) {
      attempt.spend();
      const own = exemplaryValues(choice).map(typedValue(wholeSchema(plan), tools.shapeOf));
      yield* take(own, MOST_OF_BRANCH);
      yield* take(made(choice, place, attempt), MOST_OF_BRANCH);
    }
    for (const choice of choices) {
      const others = choices.filter((other) => other !== choice);
      yield* exclusiveObjects(take(made(choice, place, attempt), 2), choice, others, tools.source);
    }
  } else {
    const sampleParts: SampleParts = (part) =>
      sampleValues(
        planOf(part.schemas, tools.source),
        placeBelow(place, plan, part),
        attempt,
        part.need,
        part.preferred,
      );
    yield* ofType(plan, attempt, sampleParts);
  }
  if (keywordOf(plan, 'type').length > 0 && allowsNull(plan)) yield null;
}

/** Those of the candidates that fit and have not been seen. */
function* fitting(
  candidates: Iterable<unknown>,
  fits: Fits,
  seen: Set<string>,
  attempt: SampleContext,
): Iterable<unknown> {
  const isNew = (value: unknown) => seen.size < seen.add(valueKey(value)).size;
  let misses = 0;
  for (const candidate of candidates) {
    attempt.spend();
    if (fits(candidate) && isNew(candidate)) {
      misses = 0;
      yield candidate;
    } else {
      misses += 1;
      if (misses === MOST_MISSES) return;
    }
  }
}

const failure = (plan: SamplePlan, place: Place): string => {
  const [pattern] = keywordOf(plan, 'pattern');
  const what = pattern === undefined ? 'its keywords together' : `the pattern ${pattern}`;
  return `no ${typeOf(plan)} was found at ${place.pointer || 'the top'} that fits ${what}`;
};

/**
 * Distinct values that fit the plan.
 * @param preferred values to try first, typed as the document spells them
 */
export function* sampleValues(
  plan: SamplePlan,
  place: Place,
  attempt: SampleContext,
  need: Need,
  preferred: readonly unknown[],
): Iterable<unknown> {
  attempt.spend();
  const fail = (reason: string): void => {
    if (place.matters) attempt.reasons.push(reason);
  };
  if (isCut(plan, place, need)) {
    fail(`the schema at ${place.pointer} requires itself without end`);
    return;
  }
  const fits = fitsOf(plan, attempt);
  const given = [...preferred, ...exemplaryValues(plan)];
  const seen = new Set<string>();
  if (given.length > 0) {
    const typed = given.map(typedValue(wholeSchema(plan), attempt.tools.shapeOf));
    yield* fitting(typed, fits.given, seen, attempt);
  }
  yield* fitting(made(plan, place, attempt), fits.made, seen, attempt);
  if (seen.size === 0) fail(failure(plan, place));
}
