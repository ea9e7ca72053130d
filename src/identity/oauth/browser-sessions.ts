/** The cookies of the OAuth pages: the session of a signed-in user, and the secret that protects forms. */

import { parseCookie, stringifySetCookie } from 'cookie';
import type { CredentialRequest } from '../../http/caller';
import type { TokenStorage } from '../../storage/identity/tokens';
import { comesFromAnotherOrigin, sessionCookieName } from '../session-cookie';
import { type Clock, digest, issueLogin, newSecret } from '../token';

/**
 * Makes the token that a form carries against request forgery, from a secret of this browser.
 *
 * @param purpose - a token of one kind of form is not valid for another
 */
export const csrfToken = (purpose: string, secret: string, query: string): string =>
  digest(JSON.stringify([purpose, secret, query]));

/**
 * Tells whether the browser says that another site sent the form. Where it names no origin, as the referrer policy of the pages
 * makes it do (Fetch section 3.2), the token of the form decides alone.
 */
export const isCrossSite = (request: CredentialRequest): boolean => {
  const { 'sec-fetch-site': site, origin } = request.headers;
  return (site !== undefined || origin !== 'null') && comesFromAnotherOrigin(request);
};

interface SignedIn {
  readonly userKey: string;
  readonly username: string;
  /** The token of the cookie. */
  readonly secret: string;
  /** The key of a session that began on the sign-in page; undefined for a login of the service. */
  readonly sessionKey: string | undefined;
}

/** The session of the browser that sent a request. */
export interface BrowserSession {
  readonly signedIn: SignedIn | undefined;
  /** A secret of this browser; undefined where it has none yet. */
  readonly formSecret: string | undefined;
}

const sessionName = 'authorization';
const formName = 'authorization-form';

/** Makes the functions that read and write the cookies of one service's pages. */
export const browserSessions = (
  tokens: TokenStorage,
  basePath: string,
  tokenTtlSeconds: number,
  clock: Clock,
) => {
  // A session on the pages lasts for one visit, so that later users of the machine cannot grant anything.
  const longestSession = 15 * 60;
  // Lax: the browser comes from the site of the client. It sends these cookies to the pages alone, and to no operation.
  const attributes = { httpOnly: true, sameSite: 'lax', path: `${basePath}/oauth` } as const;
  const write = (name: string, value: string, secure: boolean): string =>
    stringifySetCookie({ ...attributes, name, value, secure });

  const find = async (
    secret: string | undefined,
    kind: 'login' | 'page-login',
  ): Promise<SignedIn | undefined> => {
    if (secret === undefined) return undefined;
    const found = await tokens.findActive(digest(secret), clock());
    if (found?.kind !== kind) return undefined;
    const { userKey, username, key } = found;
    return { userKey, username, secret, sessionKey: kind === 'page-login' ? key : undefined };
  };

  return {
    /** Reads the cookies of a request. A session of the pages goes before a login of the service. */
    async read({ headers }: CredentialRequest): Promise<BrowserSession> {
      const { cookie } = headers;
      const cookies = parseCookie(typeof cookie === 'string' ? cookie : '');
      const secretIn = (name: string): string | undefined => {
        const value = cookies[name];
        return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
      };
      const signedIn =
        (await find(secretIn(sessionName), 'page-login')) ??
        (await find(secretIn(sessionCookieName), 'login'));
      return { signedIn, formSecret: secretIn(formName) };
    },

    startForms(secure: boolean): { readonly secret: string; readonly cookie: string } {
      const secret = newSecret();
      return { secret, cookie: write(formName, secret, secure) };
    },

    /** Signs the user in; resolves to the cookie, or undefined where the user was deleted. */
    async startSession(userKey: string, secure: boolean): Promise<string | undefined> {
      const ttlSeconds = Math.min(tokenTtlSeconds, longestSession);
      const issued = await issueLogin(tokens, 'page-login', userKey, ttlSeconds, clock());
      return issued && write(sessionName, issued.secret, secure);
    },

    /** Ends a session that began on the sign-in page; a login of the service stays. */
    async endSession({ signedIn }: BrowserSession): Promise<void> {
      if (signedIn?.sessionKey !== undefined) await tokens.revoke([signedIn.sessionKey]);
    },

    /** The Set-Cookie value that makes the browser delete its session. */
    endedSession: stringifySetCookie({ ...attributes, name: sessionName, value: '', maxAge: 0 }),
  };
};

/** The cookies of one service's pages. */
export type BrowserSessions = ReturnType<typeof browserSessions>;
