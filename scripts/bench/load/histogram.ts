/** Counts times in buckets whose width grows with the time: exact below 2 ms, within 0.1 % above (as HdrHistogram does). */

const halfBits = 10;
const half = 1 << halfBits;
const exact = 2 * half;
/** Up to 2^31 microseconds. */
const buckets = exact + half * (31 - halfBits - 1);

/** Times in whole microseconds. */
export interface Histogram {
  readonly counts: Uint32Array;
  total: number;
}

export const newHistogram = (): Histogram => ({ counts: new Uint32Array(buckets), total: 0 });

const bucketOf = (microseconds: number): number => {
  if (microseconds < exact) return microseconds;
  const shift = 31 - Math.clz32(microseconds) - halfBits;
  return exact + half * (shift - 1) + ((microseconds >> shift) - half);
};

/** The middle of the times that a bucket holds. */
const timeOf = (bucket: number): number => {
  if (bucket < exact) return bucket;
  const shift = Math.floor((bucket - exact) / half) + 1;
  const low = (((bucket - exact) % half) + half) * 2 ** shift;
  return low + (2 ** shift - 1) / 2;
};

/** Counts one time; fractions are dropped. */
export const record = (histogram: Histogram, microseconds: number): void => {
  const bucket = bucketOf(Math.min(Math.max(0, Math.trunc(microseconds)), 2 ** 31 - 1));
  histogram.counts[bucket] = (histogram.counts[bucket] ?? 0) + 1;
  histogram.total += 1;
};

/**
 * The time, in microseconds, that a share of the requests did not exceed.
 * @param share from 0 to 1: 0.99 is p99
 */
export const percentile = ({ counts, total }: Histogram, share: number): number => {
  const wanted = Math.max(1, Math.ceil(total * share));
  let seen = 0;
  for (let bucket = 0; bucket < counts.length; bucket += 1) {
    seen += counts[bucket] ?? 0;
    if (seen >= wanted) return timeOf(bucket);
  }
  return 0;
};
