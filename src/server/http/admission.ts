/** Who goes first, and how those are refused that have waited for too long. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  defaultErrors,
  HttpError,
  isSafeMethod,
  originForm,
  send,
  splitTarget,
} from '../../engine';

/** From the first to the last. */
export const ranks = ['health', 'change', 'authenticated', 'anonymous'] as const;

/**
 * - `health`: asks whether the server is well, and is never refused
 * - `change`: asks for a change, and carries credentials
 * - `authenticated`: carries credentials
 */
export type Rank = (typeof ranks)[number];

/** Decides on requests. */
export interface Admission {
  /** What a request is worth; whether its credentials are good is not known yet. */
  rankOf(request: IncomingMessage): Rank;
  /** Answers 503 with Retry-After. */
  refuse(request: IncomingMessage, response: ServerResponse, rank: Rank): void;
}

/** What is to be known of the server. */
export interface AdmissionRules {
  /** Where it is asked whether the server is well. */
  readonly healthPaths: ReadonlySet<string>;
  /** Names of headers, in lower case, that carry credentials. */
  readonly credentialHeaders: () => readonly string[];
  /** Told of each that is refused. */
  readonly onRefused: (rank: Rank) => void;
}

const overloaded = new HttpError(
  503,
  'unavailable',
  'More requests have come than the server can serve. Try again in a moment.',
  { headers: { 'Retry-After': '1' } },
);

/** Makes the admission of a server. */
export const admission = (rules: AdmissionRules): Admission => {
  const write = defaultErrors();
  return {
    rankOf({ url = '/', method, headers }) {
      if (rules.healthPaths.has(splitTarget(originForm(url)).path)) return 'health';
      if (!rules.credentialHeaders().some((name) => headers[name] !== undefined)) {
        return 'anonymous';
      }
      return isSafeMethod(method) ? 'authenticated' : 'change';
    },
    refuse(request, response, rank) {
      rules.onRefused(rank);
      void send(request, response, write(overloaded, request.headers.accept));
    },
  };
};
