/** Scenarios: requests in a fixed order, each with the response that must come back. */

import type { HttpResponse, Request } from '../load/request';
import type { Credentials } from '../pets';

/** Sends one request to the contestant. */
export type Ask = (request: Request) => Promise<HttpResponse>;

/** One request with its expected response. */
export interface Step {
  readonly request: Request;
  readonly status: number;
  /** Throws where the response's content is wrong; may ask more, to see that what was written is there. */
  readonly check: (response: HttpResponse, ask: Ask) => void | Promise<void>;
}

/** The credentials and the size that requests depend on. */
export interface Setting {
  readonly credentials: Credentials;
  /** The number of pets before the first request. */
  readonly pets: number;
}

/** Reading leaves the database as it is; writing gets a database of its own. */
export const phases = ['read', 'write'] as const;

export interface Scenario {
  readonly name: string;
  readonly title: (pets: number) => string;
  readonly phase: (typeof phases)[number];
  /** Part of `--quick`. */
  readonly quick?: boolean;
  /** The most connections it is run with; the long list would otherwise outlast the others. */
  readonly mostConnections?: number;
  /** Left out for contestants that have no XML. */
  readonly needsXml?: boolean;
  readonly steps: (setting: Setting) => readonly Step[];
}

/** The number of different requests of a scenario. */
const stepCount = 2000;

/** Makes a step for each number from 1. */
export const stepsOf = (make: (number: number) => Step): Step[] =>
  Array.from({ length: stepCount }, (_, index) => make(index + 1));

/** Makes a scenario whose requests are all of one kind. */
export const scenarioOf = (
  phase: Scenario['phase'],
  name: string,
  title: string,
  step: (setting: Setting, number: number) => Step,
  more: Pick<Scenario, 'quick' | 'needsXml'> = {},
): Scenario => ({
  name,
  title: () => title,
  phase,
  steps: (setting) => stepsOf((number) => step(setting, number)),
  ...more,
});

/** Returns numbers from 1 to `most`, spread over all of them, the same ones at every run. */
export const spread = (number: number, most: number): number => ((number * 7919) % most) + 1;

type Headers = Readonly<Record<string, string>>;

const jsonType = 'application/json';
export const xmlType = 'application/xml';
export const formType = 'application/x-www-form-urlencoded';

export const byKey = ({ apiKey }: Credentials): Headers => ({ api_key: apiKey });
export const byToken = ({ petsToken }: Credentials): Headers => ({
  Authorization: `Bearer ${petsToken}`,
});
export const byAdsToken = ({ adsToken }: Credentials): Headers => ({
  Authorization: `Bearer ${adsToken}`,
});

/** Reads what is at the path. */
export const get = (path: string, credentials: Headers = {}, accept = jsonType): Request => ({
  method: 'GET',
  path,
  headers: { ...credentials, Accept: accept },
});

/** Sends a body and takes the response in JSON unless it is said otherwise. */
export const write = (
  method: 'POST' | 'PUT',
  path: string,
  [mediaType, body]: readonly [string, string],
  credentials: Headers = {},
  accept = jsonType,
): Request => ({
  method,
  path,
  headers: { ...credentials, Accept: accept, 'Content-Type': mediaType },
  body,
});

/** Makes a body of JSON. */
export const jsonBody = (value: unknown): readonly [string, string] => [
  jsonType,
  JSON.stringify(value),
];

export const petPath = (id: number | '' = ''): string =>
  `/petstore/pet${id === '' ? '' : `/${id}`}`;
export const orderPath = (id: number | '' = ''): string =>
  `/petstore/store/order${id === '' ? '' : `/${id}`}`;
