/** Remembers an outside issuer's keys: for a while, through its failures, and not beyond a rotation. */

import type { CryptoKey, JWTVerifyGetKey } from 'jose';
import { HttpError } from '../../../engine';

/** Finds the key that a token's header asks for; undefined where there is none. */
export type FindKey = (...asked: Parameters<JWTVerifyGetKey>) => Promise<CryptoKey | undefined>;

/** How keys are had and remembered. */
export interface JwksCacheOptions {
  /** Fetches the key set anew. */
  readonly load: () => Promise<FindKey>;
  /** Told why keys could not be had. */
  readonly report: (error: unknown) => void;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** Keys that the issuer has taken back are good for no longer. */
const freshFor = 10 * 60 * 1000;
/** Keys are used for so long while the issuer cannot be asked. */
const usableFor = 24 * 60 * 60 * 1000;
/** The issuer is asked no more often, whatever keys callers name. */
const cooldown = 10 * 1000;

const unavailable = (cause: unknown): HttpError =>
  new HttpError(503, 'unavailable', 'The token issuer is unavailable', {
    cause,
    headers: { 'Retry-After': String(cooldown / 1000) },
  });

/**
 * Makes the search for the key of a token. It throws HttpError 503 where only the issuer could tell and does not answer.
 */
export const jwksCache = ({ load, report, clock }: JwksCacheOptions): FindKey => {
  let known: { readonly find: FindKey; readonly since: number } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  let asking: Promise<void> | undefined;

  const ask = async (): Promise<void> => {
    try {
      known = { find: await load(), since: clock() };
      failure = undefined;
    } catch (error) {
      failure = error;
      report(error);
    } finally {
      askedAt = clock();
      asking = undefined;
    }
  };

  const isYounger = (than: number): boolean => known !== undefined && clock() - known.since < than;

  /** All who need the keys wait for the same answer. */
  const refresh = async (): Promise<void> => {
    if (asking === undefined && clock() - askedAt < cooldown) return;
    asking ??= ask();
    await asking;
  };

  const search: FindKey = (header, token) => {
    if (known === undefined || !isYounger(usableFor)) throw unavailable(failure);
    return known.find(header, token);
  };

  return async (header, token) => {
    if (!isYounger(freshFor)) await refresh();
    const found = await search(header, token);
    if (found !== undefined) return found;
    await refresh();
    const foundNow = await search(header, token);
    if (foundNow === undefined && failure !== undefined) throw unavailable(failure);
    return foundNow;
  };
};
