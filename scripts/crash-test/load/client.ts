/** One of the clients that load the server: it changes things that it added, and records the responses. */

import { setTimeout } from 'node:timers/promises';
import type { Random } from '../../machine/random';
import { type Change, type History, isKeyed, type KeyedStep } from '../history/history';
import type { Fields } from '../history/views';
import type { Failure, HttpClient, HttpRequest } from './http-client';

/** A pet that this client added and no other client changes. */
export interface OwnPet {
  readonly id: string;
  /** Unique among all that is ever added. */
  readonly mark: string;
  version: number;
  /** The fields that were last acknowledged. */
  fields: Fields;
  /** True where the id was asked for, so that the counter may give it to another: such a pet is not deleted. */
  readonly isContested: boolean;
}

/** The state that all clients share. */
export interface Shared {
  /** Ids that were asked for. */
  readonly given: Set<string>;
  /** The largest id that a pet was assigned. */
  highest: number;
  serial: number;
  /** Users that were acknowledged, with their passwords. */
  readonly users: { readonly username: string; readonly password: string | undefined }[];
}

/** The credentials that the load needs. */
export interface Credentials {
  /** Authorization by scopes, for the pet store and for the ads. */
  readonly pets: string;
  readonly ads: string;
  /** Authorization by login. */
  readonly login: string;
}

/** A client. */
export interface Client {
  readonly number: number;
  /** Begins every mark and tag of the round. */
  readonly prefix: string;
  readonly random: Random;
  readonly http: Pick<HttpClient, 'send'>;
  readonly history: History;
  readonly credentials: Credentials;
  readonly shared: Shared;
  /** Things that the client may still change: indeterminate ones are dropped. */
  pets: OwnPet[];
  orders: string[];
  logins: string[];
}

/** The outcome of a change. */
export type Outcome =
  | { readonly kind: 'made'; readonly body: Buffer }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'indeterminate' };

/** A request, and how to read its outcome. */
export interface ChangeRequest extends Change {
  readonly request: HttpRequest;
  /** Statuses that say, in the situation, that nothing was changed. */
  readonly refusals?: readonly number[];
  /** The steps as the response tells them: the assigned keys, and the content that was kept. */
  readonly stepsIn?: (body: Buffer) => readonly KeyedStep[];
}

const pauseMilliseconds = 20;

const recordIndeterminate = ({ history }: Client, change: Change): Outcome => {
  history.recordIndeterminate(change);
  return { kind: 'indeterminate' };
};

const fail = async (client: Client, change: Change, failure: Failure): Promise<Outcome> => {
  await setTimeout(pauseMilliseconds);
  if (failure === 'unsent') {
    client.history.recordRefused();
    return { kind: 'refused', status: 0 };
  }
  if (failure === 'silent') {
    client.history.reportViolation('hang', `${change.operation} got no response`);
  }
  return recordIndeterminate(client, change);
};

/** Records an acknowledged change: the response must be what was requested, and an assigned key must be new. */
const accept = ({ history }: Client, change: Change, steps: readonly KeyedStep[]): void => {
  for (const [at, { kind, key, to }] of steps.entries()) {
    const requested = change.steps[at];
    if (requested !== undefined && requested.to !== to) {
      const text = `${change.operation} asked for ${kind} ${requested.to} and got the response ${to}`;
      history.reportViolation('response', text);
    }
    if (requested?.key === undefined && history.settled[kind].has(key)) {
      const text = `${change.operation} was assigned ${kind} ${key}, which was assigned before`;
      history.reportViolation('duplicated', text);
    }
  }
  history.recordMade(steps);
};

/** Asks for a change and records its outcome. */
export const requestChange = async (client: Client, wanted: ChangeRequest): Promise<Outcome> => {
  const { request, refusals = [], stepsIn, ...change } = wanted;
  const response = await client.http.send(request);
  if (typeof response === 'string') return fail(client, change, response);
  if (response.status === 200) {
    accept(client, change, stepsIn?.(response.body) ?? change.steps.filter(isKeyed));
    return { kind: 'made', body: response.body };
  }
  const { status, headers } = response;
  // A 503 with Retry-After says that nothing was changed.
  if (refusals.includes(status) || (status === 503 && headers['retry-after'] !== undefined)) {
    client.history.recordRefused();
    return { kind: 'refused', status };
  }
  if (status !== 503) {
    const asked = `${change.operation} (${JSON.stringify(change.steps)})`;
    const given = `${status} ${response.body.toString().slice(0, 300)}`;
    client.history.reportViolation('response', `${asked} got the response ${given}`);
  }
  return recordIndeterminate(client, change);
};

/** Returns a text that nothing else ever carries. */
export const newMark = ({ prefix, number, shared }: Client): string => {
  shared.serial += 1;
  return `${prefix}c${number}n${shared.serial}`;
};

/** Returns the fields of a JSON response. */
export const fieldsIn = (body: Buffer): Fields => JSON.parse(body.toString()) as Fields;

/** Returns the list without the one. */
export const without = <Value>(list: readonly Value[], one: Value): Value[] =>
  list.filter((value) => value !== one);
