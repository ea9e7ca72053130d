/** What the samplers of one value have in common, and how they reach each other. */

import type { SchemaContext } from '../../document/model/schema-context';
import type { SchemaFields } from '../../schema/schema-parts';
import { type SamplePlan, typeOf } from './sample-plan';

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

/** What making one value is about. */
export interface SampleContext extends SchemaContext {
  /** Only what is required is wanted. */
  readonly lean: boolean;
  /** Counts a step: a part, a branch or a candidate. Throws FuelExhausted where there were too many. */
  spend(): void;
  /** Why parts have no value, one sentence each; the deepest comes first. */
  readonly reasons: string[];
}

/** An object or a list to be made; what does not fit is sorted out by the caller. */
export interface Composite {
  readonly plan: SamplePlan;
  /** Only what is required is wanted. */
  readonly lean: boolean;
  /** Distinct values that fit, best first, perhaps without end; none where none was found. */
  sampleParts(request: PartRequest): Replay;
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
  const made: { readonly value: unknown }[] = [];
  let isOver = false;
  const fill = (index: number): void => {
    while (!isOver && made.length <= index) {
      const next = iterator.next();
      if (next.done === true) isOver = true;
      else made.push({ value: next.value });
    }
  };
  return {
    at(index) {
      fill(index);
      return made[Math.min(index, made.length - 1)];
    },
    reaches(index) {
      fill(index);
      return index < made.length;
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

/** How far down optional parts go, and any part at all. */
const OPTIONAL_DEPTH = 8;
const DEPTH = 60;
/** How often a schema may stand inside itself where it is required to. */
const REPEATS = 2;
/** Optional parts that one value has room for; shared out evenly, so that the first of them does not take it all. */
const ROOM = 300;

/** Where in the value a sampler is. */
export interface Place {
  readonly pointer: string;
  readonly depth: number;
  readonly room: number;
  /** Whether the value fails where nothing can be made here. */
  readonly matters: boolean;
  /** The schemas that this place lies inside of, and how often. */
  readonly around: ReadonlyMap<SchemaFields, number>;
}

/** The place of the whole value. */
export const topPlace: Place = {
  pointer: '',
  depth: 0,
  room: ROOM,
  matters: true,
  around: new Map(),
};

/** The place of a part. */
export const placeBelow = (place: Place, plan: SamplePlan, part: PartRequest): Place => {
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

const isComposite = (plan: SamplePlan): boolean =>
  plan.unions.length > 0 || ['object', 'array'].includes(typeOf(plan));

/** Whether nothing is to be made at this place. */
export const isCut = (plan: SamplePlan, place: Place, need: Need): boolean => {
  if (!isComposite(plan)) return false;
  const repeats = Math.max(0, ...plan.roots.map((root) => place.around.get(root) ?? 0));
  return need === 'required'
    ? repeats >= REPEATS || place.depth >= DEPTH
    : repeats > 0 || place.depth >= OPTIONAL_DEPTH || place.room < 1;
};
