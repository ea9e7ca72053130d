/** The integers of the formats that have a range (OpenAPI Format Registry). */

/** Whole numbers between two limits, both included. */
export interface IntegerRange {
  readonly least: bigint;
  readonly most: bigint;
  /** True where some are beyond 2^53, so that all are bigints. */
  readonly isBigInt: boolean;
}

const greatestSafe = 2n ** 53n - 1n;

const range = (least: bigint, most: bigint): IntegerRange => ({
  least,
  most,
  isBigInt: most > greatestSafe,
});

const signed = (bits: bigint) => range(-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n);
const unsigned = (bits: bigint) => range(0n, 2n ** bits - 1n);

/** The integers that a double holds, each by itself. */
export const safeIntegers: IntegerRange = range(-greatestSafe, greatestSafe);

const ranges: ReadonlyMap<string | undefined, IntegerRange> = new Map([
  ['int8', signed(8n)],
  ['int16', signed(16n)],
  ['int32', signed(32n)],
  ['int64', signed(64n)],
  ['uint8', unsigned(8n)],
  ['uint16', unsigned(16n)],
  ['uint32', unsigned(32n)],
  ['uint64', unsigned(64n)],
  ['double-int', safeIntegers],
]);

/** Returns the range of a format; undefined where it has none. */
export const integerRangeOf = (format: string | undefined): IntegerRange | undefined =>
  ranges.get(format);
