/** Choices by chance, the same for the same seed. */

import { createHash } from 'node:crypto';

/** A source of choices. */
export interface Random {
  /** Returns a whole number from 0 up to, but not including, `end`. */
  below(end: number): number;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
  /** Picks one of any number of values; undefined where the list is empty. */
  pickAny<Value>(values: readonly Value[]): Value | undefined;
  chance(probability: number): boolean;
  bytes(length: number): Buffer;
}

/** Mulberry32 (public domain): a state of 32 bits, good enough to choose by. */
const mulberry = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
};

/** Returns the source of the seed's parts. */
export const randomOf = (...seed: readonly (string | number)[]): Random => {
  const next = mulberry(createHash('sha256').update(seed.join(' ')).digest().readInt32LE());
  const below = (end: number): number => Math.floor((next() / 2 ** 32) * end);
  return {
    below,
    pick: (values) => values[below(values.length)] ?? values[0],
    pickAny: (values) => values[below(values.length)],
    chance: (probability) => next() < probability * 2 ** 32,
    bytes(length) {
      const buffer = Buffer.alloc(Math.ceil(length / 4) * 4);
      for (let at = 0; at < length; at += 4) buffer.writeUInt32LE(next(), at);
      return buffer.subarray(0, length);
    },
  };
};
