/** Whether one number is a whole multiple of another, decided on their decimal digits instead of binary fractions. */

interface Decimal {
  readonly digits: bigint;
  /** The value is digits * 10^exponent. */
  readonly exponent: number;
}

const decimalNotation = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

// The shortest text that reads back as the same number is what the caller wrote: 0.07, not 0.070000000000000006...
const decimalOf = (value: number | bigint): Decimal => {
  const [, whole = '0', fraction = '', exponent = '0'] = decimalNotation.exec(String(value)) ?? [];
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
};

const scaled = ({ digits, exponent }: Decimal, to: number): bigint =>
  digits * 10n ** BigInt(exponent - to);

/**
 * A predicate that accepts finite numbers and bigints that are exact multiples of the divisor.
 * @param divisor greater than 0
 */
export const exactMultiple = (divisor: number | bigint): ((value: number | bigint) => boolean) => {
  const unit = decimalOf(divisor);
  const small = Number.isSafeInteger(divisor) ? Number(divisor) : undefined;
  return (value) => {
    if (small !== undefined && typeof value === 'number' && Number.isSafeInteger(value)) {
      return value % small === 0;
    }
    const given = decimalOf(value);
    const exponent = Math.min(given.exponent, unit.exponent);
    return scaled(given, exponent) % scaled(unit, exponent) === 0n;
  };
};
