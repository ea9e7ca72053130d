/** What the samplers of one value have in common, and how they reach each other. */

import type { SamplePlan } from './sample-plan';

/** Whether a part of a value may be left out, and so is where it would go on for ever. */
export type Need = 'required' | 'optional';

/** A part of a value as a sampler asks for it. */
export interface PartRequest {
  readonly schemas: readonly unknown[];
  readonly need: Need;
  /** Its place: the property's name or the item's index. */
  readonly step: string;
  /** How many parts share the room that is left for optional parts. */
  readonly siblings: number;
  /** Values to try before all others. */
  readonly preferred: readonly unknown[];
}

/** Distinct values that fit, best first, perhaps without end; none where none was found. */
export type SampleParts = (request: PartRequest) => Iterable<unknown>;

/** Candidates of one type; what does not fit is sorted out by the caller. */
export interface Composite {
  readonly plan: SamplePlan;
  /** Only what is required is wanted. */
  readonly lean: boolean;
  readonly sampleParts: SampleParts;
}

/** Values that can be asked for again and again, made when first asked for. */
export interface Replay {
  /** The value at the index, or the last one before it; undefined where there is none at all. */
  at(index: number): { readonly value: unknown } | undefined;
  /** Whether there are more values than the index. */
  reaches(index: number): boolean;
}

/** Keeps what an iteration gives. */
export const replay = (values: Iterable<unknown>): Replay => {
  const iterator = values[Symbol.iterator]();
  const kept: { readonly value: unknown }[] = [];
  let isOver = false;
  const fill = (index: number): void => {
    while (!isOver && kept.length <= index) {
      const next = iterator.next();
      if (next.done === true) isOver = true;
      else kept.push({ value: next.value });
    }
  };
  return {
    at(index) {
      fill(index);
      return kept[Math.min(index, kept.length - 1)];
    },
    reaches(index) {
      fill(index);
      return index < kept.length;
    },
  };
};

/** The first values of an iteration. */
export function* take<Value>(values: Iterable<Value>, most: number): Iterable<Value> {
  let left = most;
  if (left <= 0) return;
  for (const value of values) {
    yield value;
    left -= 1;
    if (left === 0) return;
  }
}
