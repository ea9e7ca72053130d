/** What a contestant is, and what one that runs is known by. */

import type { Credentials } from '../data/pets';
import type { Target } from '../load/request';
import type { Need, Phase } from '../scenarios/scenario';

/** A server that answers. */
export interface Running extends Target {
  readonly pid: number;
  readonly credentials: Credentials;
  /** Milliseconds from starting the process to its first right answer. */
  readonly startMilliseconds: number;
  stop(): Promise<void>;
}

/** A contestant whose database is filled. */
export interface Prepared {
  /** Starts it on a copy of that database, which goes when it stops. */
  start(core: number | undefined): Promise<Running>;
  /** Leaves nothing behind but what may be used again. */
  dispose(): Promise<void>;
}

/** Whether an answered write survives a loss of power. */
export type Durability = 'synced' | 'unsynced' | 'no database';

export interface Contestant {
  readonly id: string;
  readonly title: string;
  /** The floor is no rival: it does no work. */
  readonly kind: 'ours' | 'peer' | 'floor';
  readonly durability: Durability;
  readonly phases: readonly Phase[];
  /** What it cannot do, and why. */
  readonly cannot: Readonly<Partial<Record<Need, string>>>;
  /** One that keeps nothing can only be held to statuses and media types. */
  readonly checks: 'content' | 'status';
  /**
   * Fills its database.
   * @throws Error saying why it cannot take part here
   */
  prepare(pets: number): Promise<Prepared>;
}
