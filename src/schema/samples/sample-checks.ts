/** The checks of candidates. */

import { lazy } from '../../base/memoize';
import { type Check, representationOf } from '../validation/checks/type-check';
import { checksOf } from '../validation/checks-of';
import type { Schemas } from '../validation/compile-validators';
import { type SamplePlan, wholeSchema } from './sample-plan';

/** The check of a candidate. */
export type Fits = (value: unknown) => boolean;

/** Makes the checks of the value itself; for a scalar without a union these are all. */
export const ownChecks = (plan: SamplePlan): readonly Check[] => {
  const inherited = representationOf(plan.values('format'));
  return plan.parts.flatMap((part) => checksOf(part, inherited, undefined, 'response'));
};

/** Keywords that may refuse a value whose parts all fit. */
const holistic = [
  'not',
  'if',
  'contains',
  'unevaluatedItems',
  'unevaluatedProperties',
  'propertyNames',
] as const;

/** Tells whether more than those checks decide. */
export const isOpen = (plan: SamplePlan): boolean =>
  plan.unions.length > 0 ||
  plan.parts.some((part) => holistic.some((keyword) => part[keyword] !== undefined));

export const isScalar = (plan: SamplePlan): boolean =>
  !['object', 'array', 'any'].includes(plan.type);

/**
 * Makes the checks of a plan: of values of the document, and of sampled values, whose parts fit already, so that the whole is
 * only checked where a union or such a keyword can still refuse it.
 */
export const fitsOf = (
  plan: SamplePlan,
  { validators }: Schemas,
): { readonly given: Fits; readonly made: Fits } => {
  const accepts = lazy(() => validators.accepts(wholeSchema(plan), 'response'));
  const whole: Fits = (value) => accepts()(value);
  if (isOpen(plan)) return { given: whole, made: whole };
  const checks = ownChecks(plan);
  const own: Fits = (value) => checks.every((check) => check.accepts(value));
  return { given: isScalar(plan) ? own : whole, made: own };
};
