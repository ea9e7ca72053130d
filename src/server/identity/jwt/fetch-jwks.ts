/** Fetches an outside issuer's keys, finding out where they are from its metadata unless that is known. */

import type { JSONWebKeySet } from 'jose';
import { FetchFailure, fetchBounded } from '../../../engine';

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

/** A server that answers, and has nothing there, may have it at the next address; one that is away has it nowhere. */
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
 * @param milliseconds how long each answer on the way may take
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
