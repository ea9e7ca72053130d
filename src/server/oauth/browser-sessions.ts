/** Who sits in front of a page: the sign-in that a browser carries, and the secret that its forms are known by. */

import { parseCookie, stringifySetCookie } from 'cookie';
import type { CredentialRequest } from '../../engine';
import type { TokenStorage } from '../../storage/identity/tokens';
import { comesFromAnotherOrigin } from '../identity/session-cookie';
import { digest, equalTexts, issueLogin, newSecret } from '../identity/token';

/**
 * What a form of that query carries to show that it is ours, made of a secret that only this browser and we have.
 *
 * @param purpose a form of one kind is none of another
 */
export const csrfToken = (purpose: string, secret: string, query: string): string =>
  digest(JSON.stringify([purpose, secret, query]));

/** Whether the form carries what formToken made. */
export const isCsrfToken = (given: string | undefined, wanted: string): boolean =>
  given !== undefined && equalTexts(given, wanted);

/**
 * Whether the browser says that another site sent the form. Where it names no origin, which our own referrer policy makes it do
 * (Fetch section 3.2), the form's token decides alone.
 */
export const isCrossSite = (request: CredentialRequest): boolean => {
  const { 'sec-fetch-site': site, origin } = request.headers;
  return (site !== undefined || origin !== 'null') && comesFromAnotherOrigin(request);
};

/** A user who has signed in with this browser. */
interface SignedIn {
  readonly userKey: string;
  readonly username: string;
  /** The token that the cookie carries. */
  readonly secret: string;
  /** The row of a session that began on our page; undefined where it is a login of the service's. */
  readonly sessionKey: string | undefined;
}

/** The browser behind a request. */
export interface BrowserSession {
  readonly signedIn: SignedIn | undefined;
  /** Known to this browser and to us; undefined where it has none yet. */
  readonly formSecret: string | undefined;
}

/** What visitors are made of. */
interface BrowserSessionParts {
  readonly tokens: TokenStorage;
  readonly basePath: string;
  readonly tokenTtlSeconds: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** A session on our pages is for one visit: nobody who comes to the machine later grants anything. */
const longestSession = 15 * 60;

const sessionName = 'authorization';
const formName = 'authorization-form';
/** The login of the service (session-cookie.ts). */
const loginName = 'session';

const secretPattern = /^[\w-]{43}$/;

const cookiesOf = ({ headers: { cookie } }: CredentialRequest): Readonly<Record<string, unknown>> =>
  parseCookie(typeof cookie === 'string' ? cookie : '');

const secretIn = (cookies: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = cookies[name];
  return typeof value === 'string' && secretPattern.test(value) ? value : undefined;
};

/** Makes what reads and writes the cookies of one service's pages. */
export const browserSessions = ({
  tokens,
  basePath,
  tokenTtlSeconds,
  clock,
}: BrowserSessionParts) => {
  // Lax: the browser comes from the client's site. It sends these cookies to the pages alone, and to no operation.
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
    /** Reads the cookies of a request. */
    async read(request: CredentialRequest): Promise<BrowserSession> {
      const cookies = cookiesOf(request);
      return {
        // Whoever has signed in here has chosen the account for this.
        signedIn:
          (await find(secretIn(cookies, sessionName), 'page-login')) ??
          (await find(secretIn(cookies, loginName), 'login')),
        formSecret: secretIn(cookies, formName),
      };
    },

    /** A new secret for forms, and its cookie. */
    startForms(secure: boolean): { readonly secret: string; readonly cookie: string } {
      const secret = newSecret();
      return { secret, cookie: write(formName, secret, secure) };
    },

    /** Signs the user in; resolves to the cookie, or undefined where the user is gone. */
    async startSession(userKey: string, secure: boolean): Promise<string | undefined> {
      const ttlSeconds = Math.min(tokenTtlSeconds, longestSession);
      const issued = await issueLogin(tokens, 'page-login', userKey, ttlSeconds, clock());
      return issued && write(sessionName, issued.secret, secure);
    },

    /** Ends a session that began on our page; a login of the service's stays. */
    async endSession({ signedIn }: BrowserSession): Promise<void> {
      if (signedIn?.sessionKey !== undefined) await tokens.revoke(signedIn.sessionKey);
    },

    /** The Set-Cookie value that makes the browser forget its session. */
    endedSession: stringifySetCookie({ ...attributes, name: sessionName, value: '', maxAge: 0 }),
  };
};

/** The cookies of one service's pages. */
export type BrowserSessions = ReturnType<typeof browserSessions>;
