/** Bounds the work of one validation: a recursive union can ask for exponentially many steps of a small value. */

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

/** Readers bound the depth of what comes from outside; a value from elsewhere may still exceed the stack. */
export const isExhaustion = (error: unknown): boolean =>
  error instanceof FuelExhausted || error instanceof RangeError;
