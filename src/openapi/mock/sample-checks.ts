/** Whether a candidate fits its plan, decided as cheaply as the schemas allow. */

import { checksOf } from '../validation/checks-of';
import { once } from '../validation/once';
import { type Attempt, wholeSchema } from './sample-attempt';
import { keywordOf, type SamplePlan, typeOf } from './sample-plan';

/** Whether a candidate fits. */
export type Fits = (value: unknown) => boolean;

/** By the validator of the reply's direction, which reads everything. */
const fitsWhole = (plan: SamplePlan, { tools }: Attempt): Fits => {
  const validate = once(() => tools.validators.validatorOf(wholeSchema(plan), 'reply'));
  return (value) => validate()(value).length === 0;
};

/** By the keywords that concern the value itself. */
const fitsChecks = (plan: SamplePlan): Fits => {
  const inherited = keywordOf(plan, 'format').find(
    (format) => format === 'int64' || format === 'binary',
  );
  const checks = [...plan.parts].flatMap((part) => checksOf(part, inherited));
  return (value) => checks.every((check) => check.accepts(value));
};

/**
 * The checks of a plan: of values that the document gives, and of values that samplers make of parts that fit already, whose
 * whole is only looked at where a union or `not` can still refuse it.
 */
export const fitsOf = (
  plan: SamplePlan,
  attempt: Attempt,
): { readonly given: Fits; readonly made: Fits } => {
  const isOpen = plan.unions.length > 0 || keywordOf(plan, 'not').length > 0;
  const isScalar = !['object', 'array', 'any'].includes(typeOf(plan));
  const whole = fitsWhole(plan, attempt);
  if (isOpen) return { given: whole, made: whole };
  const own = fitsChecks(plan);
  return isScalar ? { given: own, made: own } : { given: whole, made: own };
};
