/** Changes bytes by chance, by one or several small steps or by many repetitions. */

import type { Random } from '../machine/random';
import { mostLength, usualLength } from './target';

/** The material for changes. */
export interface Material {
  /** Another input. */
  readonly other: Uint8Array;
  readonly tokens: readonly string[];
}

type Step = (input: Uint8Array, random: Random, material: Material) => Uint8Array;

/** Numbers at the bounds of types, and texts that look like numbers. */
const numbers =
  '0 -1 -0 2147483648 9223372036854775808 9007199254740993 1e999 1e-400 0.1 00 1_0 0x10 1. NaN'.split(
    ' ',
  );

const join = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

/** Chooses a piece of the bytes, mostly short. */
const rangeOf = (bytes: Uint8Array, random: Random): readonly [number, number] => {
  const start = random.below(bytes.length + 1);
  const longest = random.chance(0.8) ? 8 : bytes.length;
  return [start, Math.min(bytes.length, start + 1 + random.below(Math.max(1, longest)))];
};

const insertAt = (input: Uint8Array, at: number, piece: Uint8Array, removed = 0): Uint8Array =>
  join(input.subarray(0, at), piece, input.subarray(at + removed));

const setByte: Step = (input, random) => {
  const changed = Uint8Array.from(input);
  const at = random.below(input.length);
  const bit = 1 << random.below(8);
  if (at < changed.length)
    changed[at] = random.chance(0.5) ? random.below(256) : (input[at] ?? 0) ^ bit;
  return changed;
};

const remove: Step = (input, random) => {
  const [start, end] = rangeOf(input, random);
  return join(input.subarray(0, start), input.subarray(end));
};

const repeat: Step = (input, random) => {
  const [start, end] = rangeOf(input, random);
  const times = 1 + random.below(random.chance(0.1) ? 64 : 4);
  const piece = Buffer.concat(Array.from({ length: times }, () => input.subarray(start, end)));
  return insertAt(input, random.below(input.length + 1), piece);
};

const insertToken: Step = (input, random, { tokens }) => {
  const token = Buffer.from(random.pickAny(tokens) ?? '');
  const removed = random.chance(0.3) ? token.length : 0;
  return insertAt(input, random.below(input.length + 1), token, removed);
};

const insertNumber: Step = (input, random) =>
  insertAt(input, random.below(input.length + 1), Buffer.from(random.pickAny(numbers) ?? ''));

const insertBytes: Step = (input, random) =>
  insertAt(input, random.below(input.length + 1), random.bytes(1 + random.below(4)));

const spliceOther: Step = (input, random, { other }) => {
  const [start, end] = rangeOf(other, random);
  return insertAt(input, random.below(input.length + 1), other.subarray(start, end));
};

const crossOver: Step = (input, random, { other }) =>
  join(
    input.subarray(0, random.below(input.length + 1)),
    other.subarray(random.below(other.length + 1)),
  );

const steps: readonly [Step, ...Step[]] = [
  setByte,
  remove,
  repeat,
  insertToken,
  insertToken,
  insertNumber,
  insertBytes,
  spliceOther,
  crossOver,
];

/** Makes a few steps; the result has at most `usualLength` bytes. */
export const mutate = (input: Uint8Array, random: Random, material: Material): Uint8Array => {
  let changed = input;
  for (let left = 1 + random.below(4); left > 0; left -= 1) {
    changed = random.pick(steps)(changed, random, material).subarray(0, usualLength);
  }
  return changed;
};

/** Repeats a piece of the input as often as there is room for it: what takes more than linear time shows then. */
export const inflate = (input: Uint8Array, random: Random, longest = mostLength): Uint8Array => {
  const [start, end] = rangeOf(input, random);
  const piece = input.subarray(start, end);
  const size = Math.min(longest, random.pick([16 * 1024, 128 * 1024, mostLength])) - input.length;
  if (piece.length === 0 || size <= 0) return input;
  const repeated = Buffer.alloc(size - (size % piece.length), piece);
  return insertAt(input, end, repeated);
};
