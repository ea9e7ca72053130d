/** Bounds the work of one validation: a recursive union can ask for exponentially many steps of a small value. */

import type { ValidateFunction } from 'ajv';

/** The value is not decided within the bound. */
export class FuelExhausted extends Error {
  constructor() {
    super('The value is too entangled to be validated.');
    this.name = 'FuelExhausted';
  }
}

/** A tank that compiled validators draw from, one unit for each schema they enter. */
export interface Fuel {
  fill(units: number): void;
  spend(): void;
}

/** A new tank, empty. */
export const makeFuel = (): Fuel => {
  let left = 0;
  return {
    fill(units) {
      left = units;
    },
    spend() {
      left -= 1;
      if (left < 0) throw new FuelExhausted();
    },
  };
};

/** What came of a run: `gave-up` where the bound, or the stack, was used up before the value was decided. */
export type Verdict = 'valid' | 'invalid' | 'gave-up';

/** Runs a validator with so many units of fuel. */
type Run = (validate: ValidateFunction, value: unknown, units: number) => Verdict;

/** Readers bound the depth of what comes from outside; a value from elsewhere may still exceed the stack. */
export const isExhaustion = (error: unknown): boolean =>
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
