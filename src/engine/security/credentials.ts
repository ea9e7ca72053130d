/**
 * Takes a security scheme's credential out of a request (OAS 3.0.3, Security Scheme Object), says how to ask for one, and gives it to
 * the security handler that verifies it for the engine, and names its holder.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { parseCookie } from 'cookie';
import {
  type Client,
  type CredentialRequest,
  handlerKinds,
  type Principal,
} from '../../http/caller';
import type { Exchange } from '../../http/exchange';
import type { Model, SecurityScheme } from '../../model/document';
import { bearerWords, challengeOf, type SchemeWords } from './refusals';

/**
 * Says whose a credential is; undefined where it is not, or no longer, good. May throw, or reject with, an HttpError (429 when a
 * limit is used up, 403 when a browser's session comes from another origin). The last argument is the name of the security scheme, by
 * which several schemes of a kind are told apart; empty where a public operation looks who calls.
 * @example const apiKey: SecurityHandler<string> = async (key) => (await keys.find(key))?.principal;
 */
export type SecurityHandler<Credential> = (
  credential: Credential,
  request: CredentialRequest,
  scheme: string,
) => Principal | undefined | Promise<Principal | undefined>;

/** The name and the password of HTTP Basic (RFC 7617). */
interface BasicCredential {
  readonly username: string;
  readonly password: string;
}

/**
 * The security handlers of one service, by the kind of a scheme, or by its name, which goes before its kind. A scheme without a security
 * handler can never be satisfied. What is named like a kind is for the kind.
 * @example { apiKey, basic: async ({ username, password }) => users.check(username, password) }
 * @example { customerKey: (key: string) => customers.find(key), adminKey: (key: string) => admins.find(key) }
 */
export interface SecurityHandlers {
  /** For `type: apiKey`. */
  readonly apiKey?: SecurityHandler<string>;
  /** For `type: http, scheme: bearer`, `oauth2` and `openIdConnect` (RFC 6750). */
  readonly bearer?: SecurityHandler<string>;
  /** For `type: http, scheme: basic` (RFC 7617). */
  readonly basic?: SecurityHandler<BasicCredential>;
  /** For `type: http` with any other scheme, by its name in lower case; the credential is what follows the name. */
  readonly http?: Readonly<Record<string, SecurityHandler<string>>>;
  /** The login that a browser carries of itself; asked only where an operation needs a login and no bearer token came. */
  readonly session?: (
    request: CredentialRequest,
  ) => Principal | undefined | Promise<Principal | undefined>;
  /** Tells whether an account of that name exists; an account that does not is "not found", another's is forbidden. */
  readonly accountExists?: (name: string) => Promise<boolean>;
  /** For the scheme of that name; it gets what one of its kind gets. */
  readonly [scheme: string]:
    | ((credential: never, request: CredentialRequest, scheme: string) => Answer | Promise<Answer>)
    | Readonly<Record<string, SecurityHandler<string>>>
    | undefined;
}

type Answer = Principal | boolean | undefined;

/** Returns the security handlers by kind for one scheme: those of its name, if there are such, in the place of those of the kinds. */
const handlersFor = (
  name: string,
  scheme: SecurityScheme,
  handlers: SecurityHandlers,
): SecurityHandlers => {
  const isNamed = Object.hasOwn(handlers, name) && !handlerKinds.has(name);
  const named = isNamed ? handlers[name] : undefined;
  if (typeof named !== 'function') return handlers;
  // It takes the credential of its own scheme.
  const own = named as SecurityHandler<unknown>;
  const http = scheme.type === 'http' ? { [scheme.scheme.toLowerCase()]: own } : {};
  return { apiKey: own, bearer: own, basic: own, http };
};

/** The request as security sees it. */
export interface SecurityRequest extends CredentialRequest {
  /** The raw query string, without `?`. */
  readonly query: string;
}

const neverAborted = new AbortController().signal;

/** The request as handlers and security handlers see it. */
export class RequestInfo implements SecurityRequest, Client {
  readonly #exchange: Pick<Exchange, 'request' | 'host' | 'requestId'>;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: string;

  constructor(exchange: Pick<Exchange, 'request' | 'host' | 'requestId'>, query: string) {
    const { request } = exchange;
    this.#exchange = exchange;
    this.method = request.method;
    this.headers = request.headers;
    this.query = query;
  }

  get address(): string {
    return this.#exchange.request.client().address;
  }

  get secure(): boolean {
    return this.#exchange.request.client().secure;
  }

  get signal(): AbortSignal {
    return this.#exchange.request.signal ?? neverAborted;
  }

  get host(): unknown {
    return this.#exchange.host;
  }

  get requestId(): string | undefined {
    return this.#exchange.requestId;
  }
}

/** The source of the security of a document's operations. */
export interface SecurityContext {
  readonly securitySchemes: Model['securitySchemes'];
  readonly securityHandlers: SecurityHandlers;
  /** Names the service in challenges (RFC 9110 section 11.5). */
  readonly realm: string;
  /** The page on which people sign in, which refusals name. */
  readonly signInUrl?: string | undefined;
  /** Receives each scheme that is tried, with its outcome. */
  readonly step?: ((fields: object, message: string) => void) | undefined;
  /** Says why no user can sign in yet, as a sentence that ends the refusals; undefined where users can. */
  readonly signInProblem?: (() => Promise<string | undefined>) | undefined;
}

/** Returns the token after a scheme's name in Authorization; names are case-insensitive (RFC 9110 section 11.1). */
const authorization = (request: CredentialRequest, scheme: string): string | undefined => {
  const header = request.headers['authorization'];
  if (typeof header !== 'string') return undefined;
  const space = header.indexOf(' ');
  return header.slice(0, space).toLowerCase() === scheme
    ? header.slice(space + 1).trim()
    : undefined;
};

/** Returns the bearer token of a request (RFC 6750 section 2.1). */
export const bearerToken = (request: CredentialRequest): string | undefined =>
  authorization(request, 'bearer');

/** Reads user name and password (RFC 7617); undefined where the text is not base64 of `user:password`. */
const basicCredential = (request: CredentialRequest): BasicCredential | undefined => {
  const text = authorization(request, 'basic');
  if (text === undefined) return undefined;
  const decoded = Buffer.from(text, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 0
    ? undefined
    : { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
};

/** Takes a credential out of a request; undefined where it has none. */
type Extract<Credential> = (request: SecurityRequest) => Credential | undefined;

const apiKeyReaders: Readonly<Record<string, (name: string) => Extract<string>>> = {
  header: (name) => {
    const key = name.toLowerCase();
    return ({ headers }) => {
      const value = headers[key];
      return typeof value === 'string' ? value : undefined;
    };
  },
  query:
    (name) =>
    ({ query }) =>
      new URLSearchParams(query).get(name) ?? undefined,
  cookie:
    (name) =>
    ({ headers: { cookie } }) =>
      typeof cookie === 'string' ? parseCookie(cookie)[name] : undefined,
};

const nothing: Extract<string> = () => undefined;

/**
 * Joins an extractor and a security handler; a scheme without either is never satisfied.
 * @param words of refusals about it
 * @param scoped true where its credentials are tokens, which are granted scopes; others may have none, and are then good for every role
 */
const schemeCheck = <Credential>(
  extract: Extract<Credential>,
  verify: SecurityHandler<Credential> | undefined,
  words: SchemeWords,
  scoped = false,
) => ({
  /**
   * Returns the caller; undefined where the credential is missing or bad.
   * @param name of the scheme, for the security handler
   */
  verify(request: SecurityRequest, name: string): ReturnType<SecurityHandler<never>> {
    const credential = extract(request);
    return credential === undefined ? undefined : verify?.(credential, request, name);
  },
  /** Tells whether a credential was sent, good or bad. */
  isSent: (request: SecurityRequest): boolean => extract(request) !== undefined,
  words,
  scoped,
});

/** The check of one scheme. */
export type SchemeCheck = ReturnType<typeof schemeCheck>;

const plainWords = (challenge: string, notValid: string, accepted?: string): SchemeWords => ({
  challenge,
  refused: challenge,
  notValid,
  accepted,
});

/** Makes the check of a scheme that is undeclared or of an unknown kind: it refuses every request. */
export const impossibleScheme = (realm: string): SchemeCheck =>
  schemeCheck(nothing, undefined, plainWords(challengeOf('Bearer', { realm }), ''));

const httpSchemeCheck = (
  name: string,
  { securityHandlers, realm }: SecurityContext,
): SchemeCheck => {
  if (name === 'basic') {
    const challenge = challengeOf('Basic', { realm, charset: 'UTF-8' });
    const notValid = 'The user name or the password is not valid';
    const words = plainWords(challenge, notValid, 'a user name and password (HTTP Basic)');
    return schemeCheck(basicCredential, securityHandlers.basic, words);
  }
  // A name that is no token (RFC 9110 section 5.6.2) fits no header.
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return impossibleScheme(realm);
  // The security handler interprets the text after the name of any other scheme.
  const extract: Extract<string> = (request) => authorization(request, name);
  const challenge = challengeOf(name, { realm });
  const notValid = `The credentials of the scheme ${name} are not valid`;
  const words = plainWords(challenge, notValid, `credentials of the HTTP scheme ${name}`);
  return schemeCheck(extract, securityHandlers.http?.[name], words);
};

/**
 * Compiles the check of one declared scheme, by its name.
 * @param scopes those that the operation asks for, for its refusals
 */
export const compileScheme = (
  schemeName: string,
  scheme: SecurityScheme,
  context: SecurityContext,
  scopes: readonly string[],
): SchemeCheck => {
  const { realm, signInUrl } = context;
  const securityHandlers = handlersFor(schemeName, scheme, context.securityHandlers);
  if (scheme.type === 'apiKey') {
    const { in: location, name } = scheme;
    const challenge = challengeOf('ApiKey', { realm, in: location, name });
    const accepted = `an API key in the ${location === 'query' ? 'query parameter' : location} ${name}`;
    const words = plainWords(challenge, 'The API key is not valid', accepted);
    return schemeCheck(apiKeyReaders[location]?.(name) ?? nothing, securityHandlers.apiKey, words);
  }
  if (scheme.type === 'mutualTLS') return impossibleScheme(realm);
  const name = scheme.type === 'http' ? scheme.scheme.toLowerCase() : 'bearer';
  if (name !== 'bearer') return httpSchemeCheck(name, { ...context, securityHandlers });
  const words = bearerWords(realm, scheme, scopes, signInUrl);
  return schemeCheck(bearerToken, securityHandlers.bearer, words, true);
};
