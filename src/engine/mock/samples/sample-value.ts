/** Makes a value that fits a schema: the document's own values first, then made-up ones; the same one every time. */

import type { Schema } from '../../schema/shape';
import { FuelExhausted, makeFuel } from '../../schema/validation/fuel';
import { type SamplingTools, wholeSchema } from './sample-context';
import { planOf, type SamplePlan } from './sample-plan';
import { sampleValues } from './sample-values';
import { take, topPlace } from './sampling';

/** A value, or a sentence saying why there is none. */
export type Sample = { readonly value: unknown } | { readonly reason: string };

/** Steps that one attempt may take. */
const FUEL = 20_000;
/** A step may validate something large; an attempt that takes longer is given up all the same. */
const MILLISECONDS = 2_000;
/** Whole values that are tried. */
const MOST_WHOLE = 50;

const entangled = 'its schemas are too entangled';

/** A small value has a small stack; what exceeds it is as good as endless. */
const isExhaustion = (error: unknown): boolean =>
  error instanceof FuelExhausted || error instanceof RangeError;

const limitedSteps = (): (() => void) => {
  const fuel = makeFuel();
  fuel.fill(FUEL);
  const end = performance.now() + MILLISECONDS;
  return () => {
    fuel.spend();
    if (performance.now() > end) throw new FuelExhausted();
  };
};

/** What is wrong with a value that did not fit after all. */
const faultOf = (value: unknown, plan: SamplePlan, { validators }: SamplingTools): string => {
  const [fault] = validators.validatorOf(wholeSchema(plan), 'response')(value);
  return `what was made for it ${fault?.message ?? 'does not fit'}, at ${fault?.path || 'the top'}`;
};

const attemptValue = (
  plan: SamplePlan,
  tools: SamplingTools,
  lean: boolean,
  given: readonly unknown[],
): Sample => {
  const reasons: string[] = [];
  const accepts = tools.validators.accepts(wholeSchema(plan), 'response');
  // The validator is compiled now, so that its compilation is not taken for a search without end.
  accepts(undefined);
  const attempt = { tools, lean, spend: limitedSteps(), reasons };
  try {
    const values = sampleValues(plan, topPlace, attempt, 'required', given);
    for (const value of take(values, MOST_WHOLE)) {
      if (accepts(value)) return { value };
      if (reasons.length === 0) reasons.push(faultOf(value, plan, tools));
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
  tools: SamplingTools,
  given: readonly unknown[] = [],
): Sample => {
  const plan = planOf([schema], tools.source);
  const full = attemptValue(plan, tools, false, given);
  return 'value' in full ? full : attemptValue(plan, tools, true, given);
};
