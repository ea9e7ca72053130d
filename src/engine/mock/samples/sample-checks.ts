/** Whether a candidate fits its plan, decided as cheaply as the schemas allow. */

import type { SchemaContext } from '../../document/model/schema-context';
import { lazy } from '../../lang/memoize';
import type { Check } from '../../schema/validation/checks/type-check';
import { checksOf } from '../../schema/validation/checks-of';
import { keywordOf, type SamplePlan, typeOf, wholeSchema } from './sample-plan';

/** Whether a candidate fits. */
export type Fits = (value: unknown) => boolean;

/** By the validator, which reads everything. */
const fitsWhole = (plan: SamplePlan, { validators }: SchemaContext): Fits => {
  const accepts = lazy(() => validators.accepts(wholeSchema(plan), 'response'));
  return (value) => accepts()(value);
};

/** The keywords that concern the value itself; of a scalar without a union these are all. */
export const ownChecks = (plan: SamplePlan): readonly Check[] => {
  const inherited = keywordOf(plan, 'format').find(
    (format) => format === 'int64' || format === 'binary',
  );
  return plan.parts.flatMap((part) => checksOf(part, inherited));
};

/** Whether more than those decides. */
export const isOpen = (plan: SamplePlan): boolean =>
  plan.unions.length > 0 || keywordOf(plan, 'not').length > 0;

export const isScalar = (plan: SamplePlan): boolean =>
  !['object', 'array', 'any'].includes(typeOf(plan));

/**
 * The checks of a plan: of values that the document gives, and of values that samplers make of parts that fit already, whose
 * whole is only looked at where a union or `not` can still refuse it.
 */
export const fitsOf = (
  plan: SamplePlan,
  context: SchemaContext,
): { readonly given: Fits; readonly made: Fits } => {
  const whole = fitsWhole(plan, context);
  if (isOpen(plan)) return { given: whole, made: whole };
  const checks = ownChecks(plan);
  const own: Fits = (value) => checks.every((check) => check.accepts(value));
  return { given: isScalar(plan) ? own : whole, made: own };
};
