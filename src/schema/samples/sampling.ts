/** The common ground of the samplers of one value. */

import type { Schema } from '../../model/schema';
import type { Schemas } from '../validation/compile-validators';
import type { SamplePlan } from './sample-plan';

/**
 * The size of what is made at most, whatever a schema requires: characters of a text, items and undeclared properties, of what a server
 * answers, and of what it is sent: many take no more than 100 kB.
 */
export const largest = {
  response: { text: 100_000, items: 1_000, undeclared: 100 },
  request: { text: 20_000, items: 500, undeclared: 50 },
};

/** The need for a part of a value; an optional part is left out where it would go on for ever. */
type Need = 'required' | 'optional';

/** A part of a value as a sampler asks for it. */
export interface PartRequest {
  readonly schemas: readonly Schema[];
  readonly need: Need;
  /** Its place: the property's name or the item's index. */
  readonly step: string;
  /** The number of parts that share the room that is left for optional parts. */
  readonly siblings: number;
  /** Values to try before all others. */
  readonly preferred: readonly unknown[];
}

/** The context of making one value. */
export interface SampleContext extends Schemas {
  /** Only what is required is wanted. */
  readonly lean: boolean;
  /** Counts a step: a part, a branch or a candidate. Throws FuelExhausted where there were too many. */
  spend(): void;
  /** The reasons why parts have no value, one sentence each; the deepest comes first. */
  readonly reasons: string[];
}

/** An object or a list to be made; the caller drops candidates that do not fit. */
export interface Composite {
  readonly plan: SamplePlan;
  /** Only what is required is wanted. */
  readonly lean: boolean;
  /** Makes distinct values that fit, best first, perhaps without end. */
  sampleParts(request: PartRequest): Replay;
}

/** The values of an iteration, which can be asked for again and again; each is made when first asked for. */
export class Replay {
  readonly #values: Iterator<unknown>;
  readonly #made: { readonly value: unknown }[] = [];

  constructor(values: Iterable<unknown>) {
    this.#values = values[Symbol.iterator]();
  }

  /** Returns the value at the index, or the last one before it; undefined where there are no values. */
  at(index: number): { readonly value: unknown } | undefined {
    return this.reaches(index) ? this.#made[index] : this.#made.at(-1);
  }

  /** Tells whether there are more values than the index. */
  reaches(index: number): boolean {
    while (this.#made.length <= index) {
      const next = this.#values.next();
      if (next.done === true) return false;
      this.#made.push({ value: next.value });
    }
    return true;
  }
}

/** Takes the first values of an iteration. */
export function* take<Value>(values: Iterable<Value>, most: number): Iterable<Value> {
  let left = most;
  for (const value of values) {
    yield value;
    left -= 1;
    if (left === 0) return;
  }
}

/** The depths to which optional parts go, and any part at all. */
const OPTIONAL_DEPTH = 8;
const DEPTH = 60;
/** The number of times that a schema may stand inside itself where it is required to. */
const REPEATS = 2;
/** Optional parts that one value has room for; shared out evenly, so that the first of them does not take it all. */
const ROOM = 300;

/** The place of a sampler in the value. */
export interface SamplePlace {
  readonly pointer: string;
  readonly depth: number;
  readonly room: number;
  /** True where the value fails if nothing can be made here. */
  readonly matters: boolean;
  /** The schemas that this place lies inside of, and how often. */
  readonly around: ReadonlyMap<Schema, number>;
}

/** The place of the whole value. */
export const topPlace: SamplePlace = {
  pointer: '',
  depth: 0,
  room: ROOM,
  matters: true,
  around: new Map(),
};

/** Returns the place of a part. */
export const placeBelow = (
  place: SamplePlace,
  plan: SamplePlan,
  part: PartRequest,
): SamplePlace => {
  const around = new Map(place.around);
  for (const root of plan.roots) around.set(root, (around.get(root) ?? 0) + 1);
  return {
    pointer: `${place.pointer}/${part.step}`,
    depth: place.depth + 1,
    room: place.room / Math.max(1, part.siblings),
    matters: place.matters && part.need === 'required',
    around,
  };
};

/** Tells whether nothing is to be made at this place. */
export const isCut = (plan: SamplePlan, place: SamplePlace, need: Need): boolean => {
  if (plan.unions.length === 0 && !['object', 'array'].includes(plan.type)) return false;
  const repeats = Math.max(0, ...plan.roots.map((root) => place.around.get(root) ?? 0));
  return need === 'required'
    ? repeats >= REPEATS || place.depth >= DEPTH
    : repeats > 0 || place.depth >= OPTIONAL_DEPTH || place.room < 1;
};
