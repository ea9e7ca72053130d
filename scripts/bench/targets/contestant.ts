/** A server that takes part in a race, and one of its running processes. */

import type { ChildProcess } from 'node:child_process';
import type { Credentials } from '../data/pets';
import type { Target } from '../load/request';
import type { DatabaseMeter } from './database-meter';

/** A process that serves. */
export interface Running extends Target {
  readonly child: ChildProcess;
  readonly credentials: Credentials;
  /** Milliseconds from starting the process to its first right response. */
  readonly startMilliseconds: number;
  /** What its requests cost in a database server; undefined where it has none. */
  readonly database?: DatabaseMeter;
  stop(): Promise<void>;
}

/** A contestant whose database is filled. */
export interface Prepared {
  /** Starts it on a copy of that database, which is removed when it stops. */
  start(core: number | undefined): Promise<Running>;
  /** Removes what cannot be used again. */
  dispose?(): Promise<void>;
}

export interface Contestant {
  readonly id: string;
  readonly title: string;
  readonly kind: 'ours' | 'peer';
  readonly hasXml: boolean;
  /**
   * Fills its database.
   * @throws Error saying why it cannot take part here
   */
  prepare(pets: number): Promise<Prepared>;
}
