/** What a scenario is: requests in a fixed order, each with what must come back. */

import type { Credentials } from '../data/pets';
import type { HttpResponse, Request } from '../load/request';

/** Asks the contestant at hand one request. */
export type Ask = (request: Request) => Promise<HttpResponse>;

/** One request with its expected response. */
export interface Step {
  readonly request: Request;
  readonly status: number;
  /** Throws where the response's content is wrong; may ask more, to see that what was written is there. */
  readonly check: (response: HttpResponse, ask: Ask) => void | Promise<void>;
}

/** What the requests depend on. */
export interface Setting {
  readonly credentials: Credentials;
  /** How many pets are stored before the first request. */
  readonly pets: number;
}

/** Tells whether a contestant can take part in a scenario. */
export const takesPart = (
  { hasXml }: { readonly hasXml: boolean },
  { needsXml = false }: Scenario,
): boolean => hasXml || !needsXml;

/** Reading leaves the database as it is; writing gets a database of its own. */
export type Phase = 'read' | 'write';

export interface Scenario {
  readonly name: string;
  readonly title: (pets: number) => string;
  readonly phase: Phase;
  /** Part of `--quick`. */
  readonly quick?: boolean;
  /** The most connections it is run with; the long list would otherwise outlast the others. */
  readonly mostConnections?: number;
  /** Left out for contestants that have no XML. */
  readonly needsXml?: boolean;
  readonly steps: (setting: Setting) => readonly Step[];
}

/** How many different requests a scenario has. */
export const stepCount = 2000;

/** A step for each number from 1. */
export const stepsOf = (make: (number: number) => Step, count = stepCount): Step[] =>
  Array.from({ length: count }, (_, index) => make(index + 1));

/** Numbers from 1 to `most`, spread over all of them, the same ones at every run. */
export const spread = (number: number, most: number): number => ((number * 7919) % most) + 1;
