/** Makes a value that fits a schema: the document's own values first, then made-up ones; the same one every time. */

import { FuelExhausted, isExhaustion } from '../../../base/fuel';
import type { SchemaContext } from '../../document/model/schema-context';
import type { Schema } from '../../schema/shape';
import { planOf, type SamplePlan, wholeSchema } from './sample-plan';
import { sampleValues } from './sample-values';
import { type SampleContext, take, topPlace } from './sampling';

/** A value, or a sentence saying why there is none. */
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

/** What is wrong with a value that did not fit after all. */
const reasonFor = (value: unknown, plan: SamplePlan, { validators }: SchemaContext): string => {
  const [error] = validators.validatorOf(wholeSchema(plan), 'response')(value);
  return `what was made for it ${error?.message ?? 'does not fit'}, at ${error?.path || 'the top'}`;
};

const trySample = (plan: SamplePlan, context: SampleContext, given: readonly unknown[]): Sample => {
  const { reasons, validators } = context;
  const accepts = validators.accepts(wholeSchema(plan), 'response');
  try {
    const values = sampleValues(plan, topPlace, context, { need: 'required', preferred: given });
    for (const value of take(values, MOST_WHOLE)) {
      if (accepts(value)) return { value };
      if (reasons.length === 0) reasons.push(reasonFor(value, plan, context));
    }
  } catch (error) {
    if (!isExhaustion(error)) throw error;
    return { reason: entangled };
  }
  return { reason: reasons[0] ?? entangled };
};

/**
 * A value that the schema's validator accepts in responses: with all properties if that can be, else with the required ones.
 * @param given values to try before all others, as the document spells them
 */
export const sampleValue = (
  schema: Schema,
  schemas: SchemaContext,
  given: readonly unknown[] = [],
): Sample => {
  const plan = planOf([schema], schemas.references);
  // The validator is compiled now, so that its compilation is not taken for a search without end.
  schemas.validators.accepts(wholeSchema(plan), 'response')(undefined);
  const sampleWith = (lean: boolean): Sample =>
    trySample(plan, { ...schemas, lean, spend: limitedSteps(), reasons: [] }, given);
  const full = sampleWith(false);
  return 'value' in full ? full : sampleWith(true);
};
