/** The data of the peers: what they ask of a database, whichever of the two it is. */

import { hash } from 'node:crypto';
import type { Pet } from './checks';

/** A value, or a promise of it: SQLite gives values at once. */
export type Soon<Value> = Value | Promise<Value>;

/** Continues with the value; a value that is there already costs no promise. */
export const whenThere = <Value, Next>(
  value: Soon<Value>,
  next: (value: Value) => Soon<Next>,
): Soon<Next> => (value instanceof Promise ? value.then(next) : next(value));

/** The form in which the database keeps an API key or a token. */
export const digest = (secret: string): string => hash('sha256', secret, 'hex');

/** The user of a token, and its scopes separated by blanks. */
export interface Caller {
  readonly user: string;
  readonly scopes: string;
}

/** A stored resource; its document is JSON text without the id. */
export interface Row {
  readonly id: number;
  readonly document: string;
}

/** A pet found together with the credentials: no row means bad credentials; a null document, no such pet. */
export interface Found {
  readonly scopes?: string;
  readonly id: number | null;
  readonly document: string | null;
}

/** A list as one JSON text, with the caller's scopes. */
export interface FoundList {
  readonly scopes: string;
  readonly list: string;
}

/** The count of a status; null where the key is good and there are no pets. */
export interface StatusCount {
  readonly status: string | null;
  readonly count: number;
}

/** The statements of the peers. Ids that are added are undefined where the database assigns them, or where one is in use. */
export interface Store {
  knowsKey(hash: string): Soon<boolean>;
  token(hash: string, now: number): Soon<Caller | undefined>;
  pet(id: number): Soon<Row | undefined>;
  petByKey(id: number, hash: string): Soon<Found | undefined>;
  petByToken(id: number, hash: string, now: number): Soon<Found | undefined>;
  byStatus(statuses: readonly string[], hash: string, now: number): Soon<FoundList | undefined>;
  byTags(tags: readonly string[], hash: string, now: number): Soon<FoundList | undefined>;
  inventory(hash: string): Soon<readonly StatusCount[]>;
  order(id: number): Soon<Row | undefined>;
  addOrder(id: number | undefined, document: string): Soon<number | undefined>;
  addAd(author: string, document: string): Soon<void>;
  addPet(pet: Pet, document: string): Soon<number | undefined>;
  /** False where there is no such pet. */
  replacePet(id: number, pet: Pet, document: string): Soon<boolean>;
  close(): void;
}

/** The credentials that a new database holds. */
export interface StoredCredentials {
  readonly keyHash: string;
  readonly tokens: readonly (Caller & { readonly hash: string })[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Returns the names of the pet's tags, each once. */
export const tagNames = ({ tags = [] }: Pet): readonly string[] => [
  ...new Set(tags.flatMap(({ name }) => (name === undefined ? [] : name))),
];

/** Completes the document's text by its id. */
export const withId = (id: number, document: string): string =>
  document === '{}' ? `{"id":${id}}` : `{"id":${id},${document.slice(1)}`;

/** Returns the token of a bearer header. */
export const bearerToken = (header: string | undefined): string | undefined =>
  header?.startsWith('Bearer ') ? header.slice(7) : undefined;
