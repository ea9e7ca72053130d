/** The options of a run, and checks that they fit the document and the server. */

import type { ApiDocument } from '../../../engine';
import type { HttpClient } from '../exchange/http-client';
import {
  type Credential,
  loginScheme,
  needsCredential,
  requirementsOf,
} from '../session/credentials';
import type { Subject } from '../session/subject';
import type { Depth, Failure } from '../test-report';

/** The options of a test. */
export interface TestOptions {
  readonly document: ApiDocument;
  /** The URL at which the document's paths begin. */
  readonly url: string;
  readonly credentials?: readonly Credential[];
  /** Sent with every request; their values are kept out of the report. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** The operationIds to test; all where none is given. */
  readonly only?: readonly string[];
  readonly seed?: number;
  readonly depth?: Depth;
  /** Minutes after which the run ends: 60. */
  readonly minutes?: number;
  /** No sequences of operations on the same resource. */
  readonly stateless?: boolean;
  /** True, the default, to look for the shortest failing case. */
  readonly shrink?: boolean;
  /** Called for each failure; true ends the run. */
  readonly onFailure?: (failure: Failure) => boolean;
  /** Called as the run goes on. */
  readonly onProgress?: (progress: Progress) => void;
}

/** The progress of a run. */
export interface Progress {
  readonly document: string;
  readonly operation: string;
  /** Steps done, of those to do. */
  readonly done: number;
  readonly total: number;
  readonly requests: number;
  readonly failures: number;
}

/** Options that make no sense for the document or the server: one sentence for the user. */
export class UnusableOptions extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableOptions';
  }
}

/** @throws UnusableOptions where a credential names no security scheme of the document */
export const requireSchemes = ({ document, credentials = [] }: TestOptions): void => {
  const names = [...document.securitySchemes.keys()];
  const isUsed = document.operations.some(({ loggedInUser }) => loggedInUser !== undefined);
  const known = isUsed ? [...names, loginScheme] : names;
  const wrong = credentials.find(({ scheme }) => !known.includes(scheme));
  if (wrong === undefined) return;
  const choice = known.length === 0 ? 'It has none.' : `It has ${known.join(', ')}.`;
  throw new UnusableOptions(
    `${document.file} has no security scheme "${wrong.scheme}", which --credential names. ${choice}`,
  );
};

/** @throws UnusableOptions where the document has no operation of a name */
export const requireOperations = ({ document, only = [] }: TestOptions): void => {
  const names = document.operations.map(({ operationId }) => operationId);
  const wrong = only.find((name) => !names.includes(name));
  if (wrong === undefined) return;
  throw new UnusableOptions(`${document.file} has no operation "${wrong}", which --only names.`);
};

/** @throws UnusableOptions where the text is no URL of a server */
export const baseUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new UnusableOptions(`"${text}" is no http or https URL.`);
};

/** Asks for anything at all: a server that cannot be reached has failed no test. */
export const requireServer = async (client: HttpClient, url: URL): Promise<void> => {
  const { error } = await client.send({ method: 'GET', target: '/', headers: [], body: undefined });
  if (error === undefined) return;
  throw new UnusableOptions(`No server answers at ${url.href}: ${error}.`);
};

/** Statuses of what is not there, or somewhere else. */
const isElsewhere = (status: number): boolean =>
  (status >= 300 && status < 400) || status === 404 || status === 405 || status === 410;

/** A wrong URL leads to no operation at all, and its refusals carry no information. */
export const requireOperationsThere = (subjects: readonly Subject[], url: URL): void => {
  const statuses = [...new Set(subjects.flatMap(({ coverage }) => [...coverage.answers]))];
  const works = subjects.some(({ coverage }) => coverage.works);
  if (works || statuses.length === 0 || !statuses.every(isElsewhere)) return;
  throw new UnusableOptions(
    `No operation succeeded once: is the URL right? ${url.href} answered every valid request with ${statuses.join(' or ')}.`,
  );
};

/** A credential that opens nothing is the user's mistake, and the rest of the report worth nothing. */
export const requireCredentials = (
  { credentials = [] }: TestOptions,
  subjects: readonly Subject[],
): void => {
  const isRefused = (scheme: string): boolean => {
    const asking = subjects.filter(
      ({ operation, coverage }) =>
        coverage.requests > 0 &&
        needsCredential(operation) &&
        requirementsOf(operation).every((one) => Object.hasOwn(one, scheme)),
    );
    return asking.length > 0 && asking.every(({ letsIn }) => !letsIn);
  };
  const wrong = credentials.find(({ scheme }) => isRefused(scheme));
  if (wrong === undefined) return;
  throw new UnusableOptions(
    `Every operation that asks for "${wrong.scheme}" answers 401: the credential for it is not valid.`,
  );
};
