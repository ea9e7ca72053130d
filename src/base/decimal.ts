/** Decimal numbers at their exact value, whatever a double would make of them. */

/** A number as JSON writes it. It has no members, so that nothing takes it for an object of a message. */
export class NumberText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  /** Gives programs that know no such numbers the nearest one. */
  toJSON(): number {
    return Number(this.#text);
  }
}

/** A number in the place of `format: decimal`: handlers get its text. */
export class DecimalText extends NumberText {}

/** `digits * 10^exponent`; the digits end in no zero, so that equal numbers have equal parts. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** JSON's numbers (RFC 8259 section 6), and the spellings that YAML's core schema adds to them: `+1`, `.5`, `1.`, `01`. */
const NOTATION = /^([-+]?)0*(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/;

/** Reads a decimal number; undefined where the text is not a number. */
export const decimalOf = (text: string): Decimal | undefined => {
  const [all, sign, whole = '', fraction = '', exponent = '0'] = NOTATION.exec(text) ?? [];
  if (all === undefined || !/\d/.test(all)) return undefined;
  const digits = whole + fraction;
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return { digits: 0n, exponent: 0 };
  return {
    digits: BigInt(significant) * (sign === '-' ? -1n : 1n),
    exponent: Number(exponent) - fraction.length + digits.length - significant.length,
  };
};

const signOf = ({ digits }: Decimal): number => Number(digits > 0n) - Number(digits < 0n);

/** Counts the digits before the decimal point, and the sign. */
const magnitudeOf = ({ digits, exponent }: Decimal): number => String(digits).length + exponent;

const scaled = ({ digits, exponent }: Decimal, to: number): bigint =>
  digits * 10n ** BigInt(exponent - to);

/** Returns the value of a number without a fraction, with all its digits. */
export const integerOf = (number: Decimal): bigint => scaled(number, 0);

/** Below 0 where the first is less, above 0 where it is greater, 0 where both are equal. */
export const compareNumbers = (one: Decimal, other: Decimal): number => {
  const sign = signOf(one);
  if (sign !== signOf(other) || sign === 0) return sign - signOf(other);
  // Numbers of the same magnitude differ in their exponents by no more than they have digits.
  const order = magnitudeOf(one) - magnitudeOf(other);
  if (order !== 0) return order * sign;
  const exponent = Math.min(one.exponent, other.exponent);
  return Number(scaled(one, exponent) - scaled(other, exponent));
};

/** Exponents that are further apart would make numbers with too many digits to compute. */
const FURTHEST = 5000;

/** Tells whether a number is a multiple of another one, which is not 0; false where they are too far apart to tell. */
export const isMultipleOf = (number: Decimal, unit: Decimal): boolean => {
  if (number.digits === 0n) return true;
  if (unit.digits === 0n || Math.abs(number.exponent - unit.exponent) > FURTHEST) return false;
  const exponent = Math.min(number.exponent, unit.exponent);
  return scaled(number, exponent) % scaled(unit, exponent) === 0n;
};
