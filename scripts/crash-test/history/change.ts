/** What a client asks for, as a step from one state of things to the next, and what the response said. */

/** Things that are kept. A `number` is a user's id: the server assigns it, and no two users ever have the same. */
export type Kind = 'pet' | 'photo' | 'order' | 'user' | 'number' | 'ad' | 'login';

/** A thing's content as canonical text; undefined: there is no such thing. */
export type State = string | undefined;

/** What a change makes of one thing. */
export interface Step {
  readonly kind: Kind;
  /** Undefined where the server assigns it; such a step stands alone in its change. */
  readonly key: string | undefined;
  readonly to: State;
}

/** Steps that are made together or not at all. */
export interface Change {
  readonly operation: string;
  readonly steps: readonly Step[];
}

/** A step whose thing is known by name. */
export interface KeyedStep extends Step {
  readonly key: string;
}

/** A thing as it was found. */
export interface Thing {
  readonly kind: Kind;
  readonly key: string;
  readonly state: State;
}

/**
 * - `lost`: what was acknowledged is not there; - `revived`: what was deleted is; - `altered`: it is not as acknowledged.
 * - `duplicated`: it is there twice, or its id was given twice; - `torn`: a part of it is there; - `unknown`: nobody asked for it.
 * - `response`: a response that does not fit what is there; - `hang`: no response at all; - `down`: the server does not come back.
 */
export type ViolationKind =
  | 'lost'
  | 'revived'
  | 'altered'
  | 'duplicated'
  | 'torn'
  | 'unknown'
  | 'response'
  | 'hang'
  | 'down';

/** Something that must never be. */
export interface Violation {
  readonly kind: ViolationKind;
  readonly text: string;
}

/** A state as people read it. */
export const shown = (state: State): string => state ?? '(not there)';
