/** Caches an outside issuer's keys: for a while, through its failures, and not beyond a rotation. */

import type { CryptoKey, JWTVerifyGetKey } from 'jose';
import { HttpError } from '../../../engine';

/** Finds the key that a token's header asks for; undefined where there is none. */
export type FindKey = (...asked: Parameters<JWTVerifyGetKey>) => Promise<CryptoKey | undefined>;

/** How keys are fetched and cached. */
export interface JwksCacheOptions {
  /** Fetches the key set anew. */
  readonly load: () => Promise<FindKey>;
  /** Reports why keys are unavailable. */
  readonly report: (error: unknown) => void;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** How long keys that the issuer has withdrawn stay valid at most. */
const freshFor = 10 * 60 * 1000;
/** Keys are used for so long while the issuer cannot be asked. */
const usableFor = 24 * 60 * 60 * 1000;
/** The issuer is requested no more often, whatever keys callers name. */
const cooldown = 10 * 1000;

const unavailable = (cause: unknown): HttpError =>
  new HttpError(503, 'unavailable', 'The token issuer is unavailable', {
    cause,
    headers: { 'Retry-After': String(cooldown / 1000) },
  });

/**
 * Makes the search for the key of a token. It throws HttpError 503 where only the issuer could tell and does not respond.
 */
export const jwksCache = ({ load, report, clock }: JwksCacheOptions): FindKey => {
  let known: { readonly find: FindKey; readonly since: number } | undefined;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  let fetching: Promise<void> | undefined;

  const fetchKeys = async (): Promise<void> => {
    try {
      known = { find: await load(), since: clock() };
      failure = undefined;
    } catch (error) {
      failure = error;
      report(error);
    } finally {
      fetchedAt = clock();
      fetching = undefined;
    }
  };

  const isYounger = (than: number): boolean => known !== undefined && clock() - known.since < than;

  /** All who need the keys wait for the same response. */
  const refresh = async (): Promise<void> => {
    if (fetching === undefined && clock() - fetchedAt < cooldown) return;
    fetching ??= fetchKeys();
    await fetching;
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
