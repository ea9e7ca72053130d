/** Runs compiled validators within a bound, so that no value can keep the server busy. */

import type { ValidateFunction } from 'ajv';
import { type Fuel, FuelExhausted } from './fuel';

/** What came of a run: `gave-up` where the bound, or the stack, was used up before the value was decided. */
export type Verdict = 'valid' | 'invalid' | 'gave-up';

/** Runs a validator with so many units of fuel. */
export type Run = (validate: ValidateFunction, value: unknown, units: number) => Verdict;

/** Readers bound the depth of what comes from outside; a value from elsewhere may still exceed the stack. */
const isExhaustion = (error: unknown): boolean =>
  error instanceof FuelExhausted || error instanceof RangeError;

/** Runs validators that draw from this fuel. */
export const boundedRun =
  (fuel: Fuel): Run =>
  (validate, value, units) => {
    fuel.fill(units);
    try {
      return validate(value) ? 'valid' : 'invalid';
    } catch (error) {
      if (isExhaustion(error)) return 'gave-up';
      throw error;
    }
  };
