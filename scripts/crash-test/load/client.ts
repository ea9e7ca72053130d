/** One of the clients that load the server: it changes its own things, and writes down what it was told. */

import { setTimeout } from 'node:timers/promises';
import type { Change, KeyedStep, Step } from '../history/change';
import type { Ledger } from '../history/history';
import type { Fields } from '../history/states';
import type { Answer, Asker, Failure, Question } from '../http/ask';
import type { Random } from '../random';

/** A pet that the client added and nobody else deletes. */
export interface OwnPet {
  readonly id: string;
  /** Unique among all that is ever added. */
  readonly mark: string;
  version: number;
  /** What was last acknowledged, without uploaded photos. */
  fields: Fields;
  /** A pet that gets photos is not replaced as a whole: that would drop them. */
  readonly isAlbum: boolean;
  /** Checksums of its photos. */
  readonly photos: string[];
  /** Whether an id was asked for that the counter may give to another: such a pet is not deleted. */
  readonly isContested: boolean;
}

/** What all clients share. */
export interface Shared {
  /** Ids that were asked for. */
  readonly given: Set<string>;
  /** The largest id that a pet was assigned. */
  highest: number;
  /** A pet to which all clients upload photos. */
  album: OwnPet | undefined;
  /** The client that changes it otherwise; undefined once such a change is in doubt. */
  albumKeeper: number | undefined;
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
  readonly asker: Asker;
  readonly ledger: Ledger;
  readonly credentials: Credentials;
  readonly shared: Shared;
  /** What the client may still change: what is in doubt is dropped. */
  pets: OwnPet[];
  orders: string[];
  logins: string[];
}

/** What became of a change. */
export type Outcome =
  | { readonly kind: 'made'; readonly body: Buffer }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'in doubt' };

/** What is asked, and how to tell what became of it. */
export interface Attempt {
  readonly question: Question;
  readonly change: Change;
  /** Statuses that say, in the situation, that nothing was changed. */
  readonly refusals?: readonly number[];
  /** The steps as the answer tells them: the assigned keys, and the content that was kept. */
  readonly stepsIn?: (body: Buffer) => readonly KeyedStep[];
}

const pauseMilliseconds = 20;

const textOf = ({ status, body }: Answer): string => `${status} ${body.toString().slice(0, 300)}`;

/** An answer of 503 that says when to ask again says that nothing was changed (README, Decisions: Trouble). */
const isRefusal = ({ status, headers }: Answer, refusals: readonly number[]): boolean =>
  refusals.includes(status) || (status === 503 && headers['retry-after'] !== undefined);

const isKeyed = (step: Step): step is KeyedStep => step.key !== undefined;

const doubt = ({ ledger }: Client, change: Change): Outcome => {
  ledger.doubt(change);
  return { kind: 'in doubt' };
};

const fail = async (client: Client, change: Change, failure: Failure): Promise<Outcome> => {
  await setTimeout(pauseMilliseconds);
  if (failure === 'unsent') {
    client.ledger.refuse();
    return { kind: 'refused', status: 0 };
  }
  if (failure === 'silent') {
    client.ledger.blame({ kind: 'hang', text: `${change.operation} was not answered` });
  }
  return doubt(client, change);
};

/** What was answered must be what was asked for; a key that was assigned must be new. */
const accept = ({ ledger }: Client, change: Change, steps: readonly KeyedStep[]): void => {
  for (const [at, { kind, key, to }] of steps.entries()) {
    const asked = change.steps[at];
    if (asked !== undefined && asked.to !== to) {
      ledger.blame({
        kind: 'answer',
        text: `${change.operation} asked for ${kind} ${asked.to} and was answered ${to}`,
      });
    }
    if (asked?.key === undefined && ledger.settled(kind).has(key)) {
      const text = `${change.operation} was assigned ${kind} ${key}, which was assigned before`;
      ledger.blame({ kind: 'duplicated', text });
    }
  }
  ledger.made(steps);
};

/** Asks for a change and writes down what became of it. */
export const attempt = async (client: Client, asked: Attempt): Promise<Outcome> => {
  const { question, change, refusals = [], stepsIn = () => change.steps.filter(isKeyed) } = asked;
  const answer = await client.asker.ask(question);
  if (typeof answer === 'string') return fail(client, change, answer);
  if (answer.status === 200) {
    accept(client, change, stepsIn(answer.body));
    return { kind: 'made', body: answer.body };
  }
  if (isRefusal(answer, refusals)) {
    client.ledger.refuse();
    return { kind: 'refused', status: answer.status };
  }
  if (answer.status !== 503) {
    const text = `${change.operation} (${JSON.stringify(change.steps)}) was answered ${textOf(answer)}`;
    client.ledger.blame({ kind: 'answer', text });
  }
  return doubt(client, change);
};

/** Answers an authorization header. */
export const bearer = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
});

/** A text that nothing else ever carries. */
export const newMark = ({ prefix, number, shared }: Client): string => {
  shared.serial += 1;
  return `${prefix}c${number}n${shared.serial}`;
};

/** The fields of a JSON answer. */
export const fieldsIn = (body: Buffer): Fields => JSON.parse(body.toString()) as Fields;

/** The list without the one. */
export const without = <Value>(list: readonly Value[], one: Value): Value[] =>
  list.filter((value) => value !== one);
