/** Decimal numbers at their exact value, whatever a double would make of them. */

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
