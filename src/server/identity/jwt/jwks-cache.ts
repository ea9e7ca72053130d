/** Caches an outside issuer's keys: for a while, through its failures, and not beyond a rotation. */

import type { CryptoKey, JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { FetchFailure, fetchBounded, HttpError } from '../../../engine';

/** Finds the key that a token's header asks for; undefined where there is none. */
type FindKey = (...asked: Parameters<JWTVerifyGetKey>) => Promise<CryptoKey | undefined>;

/** How keys are fetched and cached. */
interface JwksCacheOptions {
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

/** Whose keys, and where they are. */
export interface JwksSource {
  /** The issuer's identifier: the `iss` of its tokens, to the letter. */
  readonly issuer: string;
  /** Undefined: as its metadata says. */
  readonly jwksUrl: string | undefined;
}

/** Limits of fetching; a key with its chain of certificates takes a few thousand bytes. */
const limits = { bytes: 256 * 1024, redirects: false } as const;
const timeoutMilliseconds = 3000;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type FetchObject = (url: string, accept: string) => Promise<Readonly<Record<string, unknown>>>;

const objectFetcher =
  (milliseconds: number): FetchObject =>
  async (url, accept) => {
    const bytes = await fetchBounded(url, { accept, milliseconds, ...limits });
    let value: unknown;
    try {
      value = JSON.parse(Buffer.from(bytes).toString('utf8'));
    } catch (cause) {
      throw new Error(`${url} is no JSON`, { cause });
    }
    if (!isObject(value)) throw new Error(`${url} is no JSON object`);
    return value;
  };

/** RFC 8414 section 3.1 puts the well-known part before the issuer's path, OpenID Connect Discovery 1.0 section 4 behind it. */
const metadataUrls = (issuer: string): readonly string[] => {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
};

/** A server that responds, and has nothing there, may have it at the next address; one that is away has it nowhere. */
const fetchFirst = async (
  [url = '', ...others]: readonly string[],
  fetchObject: FetchObject,
): ReturnType<FetchObject> => {
  try {
    return await fetchObject(url, 'application/json');
  } catch (error) {
    const isElsewhere = error instanceof FetchFailure && error.status !== undefined;
    if (!isElsewhere || others.length === 0) throw error;
    return fetchFirst(others, fetchObject);
  }
};

const discoverKeysUrl = async (issuer: string, fetchObject: FetchObject): Promise<string> => {
  const metadata = await fetchFirst(metadataUrls(issuer), fetchObject);
  // RFC 8414 section 3.3: another issuer's metadata must not be used.
  if (metadata['issuer'] !== issuer) {
    throw new Error(`The metadata of ${issuer} names another issuer`);
  }
  const url = metadata['jwks_uri'];
  if (typeof url !== 'string' || !URL.canParse(url)) {
    throw new Error(`The metadata of ${issuer} says nothing of its keys (jwks_uri)`);
  }
  // Keys that anybody on the way can replace prove nothing.
  if (new URL(issuer).protocol === 'https:' && new URL(url).protocol !== 'https:') {
    throw new Error(`The metadata of ${issuer} has its keys at a URL without TLS`);
  }
  return url;
};

/**
 * Fetches the issuer's keys (RFC 7517 section 5) as they are now.
 * @param milliseconds how long each response on the way may take
 * @throws Error that says why they are unavailable
 */
export const fetchJwks = async (
  { issuer, jwksUrl }: JwksSource,
  milliseconds = timeoutMilliseconds,
): Promise<JSONWebKeySet> => {
  const fetchObject = objectFetcher(milliseconds);
  const url = jwksUrl ?? (await discoverKeysUrl(issuer, fetchObject));
  const { keys } = await fetchObject(url, 'application/jwk-set+json, application/json');
  if (!Array.isArray(keys) || !keys.every(isObject)) throw new Error(`${url} is no key set`);
  return { keys };
};
