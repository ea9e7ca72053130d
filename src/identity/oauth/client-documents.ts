/** Clients without registration: their identifier is the URL of a document about them (draft-ietf-oauth-client-id-metadata-document-00). */

import { FetchFailure, fetchBounded } from '../../base/fetch-bounded';
import { isPlainObject } from '../../base/plain-object';
import { attempt } from '../../base/recover';
import { isPublicAddress } from '../../http/caller';
import { unavailable } from '../../http/http-error';
import type { OAuthClient } from '../../storage/identity/clients';
import type { Clock } from '../token';
import { type FindClient, isRedirectUri } from './clients';

/** Tells whether a text is the URL of a document that may be asked for (section 3 of the draft). */
const isClientUrl = (text: string, origins: readonly string[]): boolean => {
  if (!URL.canParse(text)) return false;
  const { href, origin, protocol, pathname, username, password } = new URL(text);
  // One that is written otherwise has dots for segments, among others.
  const isPlain = href === text && !text.includes('#') && username === '' && password === '';
  const isKnown = origins.includes(origin) || (protocol === 'https:' && origins.includes('*'));
  return isKnown && isPlain && pathname !== '/';
};

/** Names a client by its host, which it cannot choose, before what it calls itself. */
const nameOf = (url: string, given: unknown): string => {
  const { host } = new URL(url);
  const name = typeof given === 'string' ? given.replaceAll(/\p{C}/gu, '').trim() : '';
  return name === '' ? host : `${host} (${[...name].slice(0, 60).join('')})`;
};

/** Reads a document; a sentence where no client can be made of it. */
const readClient = (url: string, bytes: Uint8Array): OAuthClient | string => {
  const value: unknown = attempt(() => JSON.parse(Buffer.from(bytes).toString('utf8')));
  if (!isPlainObject(value)) return 'It is not a JSON object';
  const { client_id, client_name, redirect_uris, token_endpoint_auth_method: method } = value;
  if (client_id !== url) return 'Its client_id is not its URL';
  if (method !== undefined && method !== 'none') {
    return 'Its token_endpoint_auth_method is not none';
  }
  const given: readonly unknown[] = Array.isArray(redirect_uris) ? redirect_uris : [];
  const redirectUris = given.filter((uri) => typeof uri === 'string').filter(isRedirectUri);
  return redirectUris.length === 0
    ? 'It has no redirect URI that is https or of the own machine'
    : { clientId: url, name: nameOf(url, client_name), redirectUris, flows: ['code'] };
};

const fetchClient = async (url: string, origins: readonly string[]) => {
  const refusalOf = (address: string): string | undefined =>
    isPublicAddress(address) ? undefined : 'is at no public address';
  const bounds = {
    ...{ accept: 'application/json', milliseconds: 3000, redirects: false },
    bytes: 16 * 1024,
  };
  // An operator who names an origin may mean one of the own network.
  const isNamed = origins.includes(new URL(url).origin);
  try {
    return readClient(url, await fetchBounded(url, isNamed ? bounds : { ...bounds, refusalOf }));
  } catch (error) {
    if (error instanceof FetchFailure) return error.message;
    throw error;
  }
};

/**
 * Makes the function that finds clients by their documents; those that were fetched lately are kept. It throws HttpError 503 where many
 * are being fetched, since any request for a sign-in makes the server ask.
 */
export const clientDocuments = (options: {
  /** Origins of documents; `*` is every one at a public address. */
  readonly origins: readonly string[];
  /** Receives why a document cannot be used. */
  readonly report: (clientId: string, reason: string) => void;
  readonly clock: Clock;
}): FindClient => {
  const { origins, report, clock } = options;
  const [freshFor, refusedFor] = [10 * 60_000, 30_000];
  const [mostKept, mostAtOnce] = [200, 8];
  const kept = new Map<
    string,
    { readonly client: Promise<OAuthClient | undefined>; end: number }
  >();
  let fetching = 0;

  const load = async (url: string, refuse: () => void): Promise<OAuthClient | undefined> => {
    let client: OAuthClient | undefined;
    fetching += 1;
    try {
      const found = await fetchClient(url, origins);
      if (typeof found === 'string') report(url, found);
      else client = found;
    } finally {
      fetching -= 1;
      if (client === undefined) refuse();
    }
    return client;
  };

  return async (clientId) => {
    if (!isClientUrl(clientId, origins)) return undefined;
    const known = kept.get(clientId);
    if (known !== undefined && known.end > clock()) return known.client;
    if (fetching >= mostAtOnce) throw unavailable('Too many clients are being looked up', 3);
    const refuse = (): void => {
      entry.end = clock() + refusedFor;
    };
    const entry = { client: load(clientId, refuse), end: clock() + freshFor };
    kept.delete(clientId);
    kept.set(clientId, entry);
    const [oldest = ''] = kept.keys();
    if (kept.size > mostKept) kept.delete(oldest);
    return entry.client;
  };
};
