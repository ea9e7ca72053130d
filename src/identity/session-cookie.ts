/** The cookie in which a browser carries a login (RFC 6265). */

import { parseCookie, stringifySetCookie } from 'cookie';
import type { CredentialRequest } from '../http/caller';

export const sessionCookieName = 'session';

/** Makes the cookie of the service that is mounted at `basePath`; the browser sends it to this service alone. */
export const sessionCookie = (basePath: string) => {
  const attributes = {
    name: sessionCookieName,
    httpOnly: true,
    sameSite: 'strict',
    path: basePath || '/',
  } as const;
  return {
    /** Makes the Set-Cookie value that starts a session of so many seconds. */
    start: (token: string, maxAge: number, secure: boolean): string =>
      stringifySetCookie({ ...attributes, value: token, maxAge, secure }),
    /** The Set-Cookie value that makes the browser delete the session. */
    end: stringifySetCookie({ ...attributes, value: '', maxAge: 0 }),
    read({ headers }: CredentialRequest): string | undefined {
      const header = headers['cookie'];
      const text = Array.isArray(header) ? header.join('; ') : header;
      return (text && parseCookie(text)[sessionCookieName]) || undefined;
    },
  };
};

export type SessionCookie = ReturnType<typeof sessionCookie>;

const first = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

/**
 * Tells whether the headers that browsers add name another origin: Sec-Fetch-Site (Fetch Metadata) where it is sent, else
 * Origin (RFC 6454) against Host. The scheme is not compared, because a proxy may end TLS before this server. A request with
 * neither header does not come from a page of today's browsers.
 */
export const comesFromAnotherOrigin = ({ headers }: CredentialRequest): boolean => {
  const site = first(headers['sec-fetch-site']);
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = first(headers['origin']);
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== first(headers['host'])?.toLowerCase();
};
