/**
 * Fetches and caches the keys of an outside issuer. The remote key sets of jose are not used: they give up their keys while the
 * issuer is down, and ask it again for each token then.
 */

import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { FetchFailure, fetchBounded } from '../../base/fetch-bounded';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import { isPublicAddress } from '../../http/caller';
import { type HttpError, unavailable } from '../../http/http-error';

/** The time between two requests to the issuer, whatever keys callers name. */
const cooldown = 10 * 1000;

const keysUnavailable = (cause: unknown): HttpError =>
  unavailable('The token issuer is unavailable', cooldown / 1000, cause);

/** Makes the function that finds keys. It throws HttpError 503 where the issuer must be asked and does not respond. */
export const jwksCache = (options: {
  readonly load: () => Promise<JWTVerifyGetKey>;
  /** Tells whether an error says that a key set has no such key. */
  readonly isMissing: (error: unknown) => boolean;
  readonly report: (error: unknown) => void;
  /** Gives milliseconds since 1970. */
  readonly clock: () => number;
}): JWTVerifyGetKey => {
  // The time for which keys that the issuer has withdrawn stay valid at most.
  const freshFor = 10 * 60 * 1000;
  // The time for which keys are used while the issuer does not respond.
  const usableFor = 24 * 60 * 60 * 1000;
  const { load, isMissing, report, clock } = options;
  let known: { readonly find: JWTVerifyGetKey; readonly since: number } | undefined;
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

  /** Fetches the keys; concurrent callers wait for the same response. */
  const refresh = async (): Promise<void> => {
    if (fetching === undefined && clock() - fetchedAt < cooldown) return;
    fetching ??= fetchKeys();
    await fetching;
  };

  const search: JWTVerifyGetKey = (header, token) => {
    if (known === undefined || !isYounger(usableFor)) throw keysUnavailable(failure);
    return known.find(header, token);
  };

  return async (header, token) => {
    if (!isYounger(freshFor)) await refresh();
    try {
      return await search(header, token);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    await refresh();
    try {
      return await search(header, token);
    } catch (error) {
      throw isMissing(error) && failure !== undefined ? keysUnavailable(failure) : error;
    }
  };
};

/** An outside issuer of access tokens. */
export interface Issuer {
  /** Its identifier, exactly as its tokens name it. */
  readonly issuer: string;
  /** The address of its keys; undefined: as its metadata says. */
  readonly jwksUrl: string | undefined;
  /** Takes tokens that do not say they are access tokens (RFC 9068). */
  readonly untypedTokens: boolean;
}

interface KeyBounds {
  /** The time limit of each response. */
  readonly milliseconds?: number;
  /** Origins, or `*`, that may be at any address, where all others must be at public ones; undefined: all may. */
  readonly privateIssuers?: readonly string[] | undefined;
}

const fetchObject = async (
  url: string,
  { milliseconds = 3000, privateIssuers }: KeyBounds,
  accept = 'application/json',
): Promise<PlainObject> => {
  const refusalOf = (address: string): string | undefined =>
    isPublicAddress(address)
      ? undefined
      : 'is at an address of this machine or a private network, which PRIVATE_ISSUERS must allow';
  // A key with its chain of certificates takes a few thousand bytes.
  const mostBytes = 256 * 1024;
  const known = privateIssuers ?? ['*'];
  const isFree = known.includes('*') || known.includes(new URL(url).origin);
  const bounds = { accept, milliseconds, bytes: mostBytes, redirects: false };
  const bytes = await fetchBounded(url, isFree ? bounds : { ...bounds, refusalOf });
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (cause) {
    throw new Error(`${url} is not JSON`, { cause });
  }
  if (!isPlainObject(value)) throw new Error(`${url} is not a JSON object`);
  return value;
};

/** Fetches the metadata: with the well-known part before the path of the issuer (RFC 8414 section 3.1), else behind it (OpenID Connect Discovery 1.0 section 4). */
const fetchMetadata = async (issuer: string, bounds: KeyBounds): Promise<PlainObject> => {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  try {
    const url = `${origin}/.well-known/oauth-authorization-server${path}`;
    return await fetchObject(url, bounds);
  } catch (error) {
    // A server that does not respond is not asked again.
    if (!(error instanceof FetchFailure) || error.status === undefined) throw error;
    return fetchObject(`${origin}${path}/.well-known/openid-configuration`, bounds);
  }
};

const discoverKeysUrl = async (issuer: string, bounds: KeyBounds): Promise<string> => {
  const metadata = await fetchMetadata(issuer, bounds);
  // RFC 8414 section 3.3: another issuer's metadata must not be used.
  if (metadata['issuer'] !== issuer) {
    throw new Error(`The metadata of ${issuer} names another issuer`);
  }
  const url = metadata['jwks_uri'];
  if (typeof url !== 'string' || !URL.canParse(url)) {
    throw new Error(`The metadata of ${issuer} has no valid jwks_uri`);
  }
  // Without TLS, anyone on the network could replace the keys.
  if (new URL(issuer).protocol === 'https:' && new URL(url).protocol !== 'https:') {
    throw new Error(`The metadata of ${issuer} has a jwks_uri without TLS`);
  }
  return url;
};

/**
 * Fetches the present keys of the issuer (RFC 7517 section 5).
 *
 * @throws Error that says why the keys are unavailable
 */
export const fetchJwks = async (
  { issuer, jwksUrl }: Pick<Issuer, 'issuer' | 'jwksUrl'>,
  bounds: KeyBounds = {},
): Promise<JSONWebKeySet> => {
  const url = jwksUrl ?? (await discoverKeysUrl(issuer, bounds));
  const accept = 'application/jwk-set+json, application/json';
  const { keys } = await fetchObject(url, bounds, accept);
  if (!Array.isArray(keys) || !keys.every(isPlainObject)) {
    throw new Error(`${url} is not a key set`);
  }
  return { keys };
};
