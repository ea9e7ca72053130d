/** Where sampling stops going deeper: recursion, depth, and the room that is left for optional parts. */

import type { SchemaFields } from '../../schema/schema-fields';
import { type SamplePlan, typeOf } from './sample-plan';
import type { Need, PartRequest } from './sampling';

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
