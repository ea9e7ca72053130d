/** Reads an authorization request (RFC 6749 sections 4.1.1 and 4.2.1, RFC 7636 section 4.3). */

import type { OAuthClient } from '../../../storage/identity/clients';
import type { AuthorizationError, ResponseTarget } from './authorization-response';
import { type FindClient, isRegistered } from './clients';
import { type Parameters, readParameters } from './endpoint';

/** What a service knows of scopes. */
export interface ServiceScopes {
  /** Every scope that there is, with its description where it has one. */
  readonly known: ReadonlyMap<string, string | undefined>;
  /** Those that operations require: what is granted where a request names none. */
  readonly required: readonly string[];
}

/**
 * The scopes of a `scope` parameter, each once; undefined where one is unknown, or there is none to be granted.
 *
 * @param text undefined where the parameter was left out
 */
export const requestedScopes = (
  text: string | undefined,
  { known, required }: ServiceScopes,
): readonly string[] | undefined => {
  const named = (text ?? '').split(' ').filter((scope) => scope !== '');
  const scopes = named.length === 0 ? required : [...new Set(named)];
  return scopes.length > 0 && scopes.every((scope) => known.has(scope)) ? scopes : undefined;
};

/** Why nothing may be sent to the redirect URI (RFC 6749 sections 4.1.2.1 and 4.2.2.1): the user is told instead. */
export type UnsafeReason =
  | 'malformed'
  | 'repeated'
  | 'no-client'
  | 'unknown-client'
  | 'no-redirect-uri'
  | 'unregistered-redirect-uri';

/** A request that may be put before the user. */
export interface AuthorizationRequest {
  readonly client: OAuthClient;
  /** As it was given; undefined where it was left out. */
  readonly givenRedirectUri: string | undefined;
  readonly scopes: readonly string[];
  /** PKCE's challenge, which asks for a code; undefined where an access token is asked for. */
  readonly challenge: string | undefined;
  readonly response: ResponseTarget;
}

/** What a query turned out to be. */
type ReadAuthorizationRequest =
  | { readonly kind: 'unsafe'; readonly reason: UnsafeReason }
  | {
      readonly kind: 'invalid';
      readonly response: ResponseTarget;
      readonly error: AuthorizationError;
    }
  | { readonly kind: 'request'; readonly request: AuthorizationRequest };

/** What a request is judged by. */
export interface AuthorizationRules {
  readonly findClient: FindClient;
  readonly scopes: ServiceScopes;
}

const single = ['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method'];

// RFC 7636 section 4.2: BASE64URL of a SHA-256.
const challengePattern = /^[\w-]{43}$/;

const errorOf = (code: AuthorizationError['code'], description: string): AuthorizationError => ({
  code,
  description,
});

/** The redirect URI, or why there is none. */
const redirectUriOf = (
  client: OAuthClient,
  given: string | undefined,
): { readonly uri: string } | { readonly reason: UnsafeReason } => {
  if (given !== undefined) {
    return isRegistered(given, client) ? { uri: given } : { reason: 'unregistered-redirect-uri' };
  }
  // RFC 6749 section 3.1.2.3: it may be left out where a single one is registered.
  const [only, ...others] = client.redirectUris;
  return only === undefined || others.length > 0 ? { reason: 'no-redirect-uri' } : { uri: only };
};

const responseTypeError = (type: string | undefined): AuthorizationError | undefined => {
  if (type === 'code' || type === 'token') return undefined;
  return type === undefined
    ? errorOf('invalid_request', 'response_type is missing')
    : errorOf('unsupported_response_type', 'response_type must be token or code');
};

/** Whether the client may use the flow of that response type (RFC 6749 sections 4.1.2.1 and 4.2.2.1). */
const flowError = ({ flows }: OAuthClient, isCode: boolean): AuthorizationError | undefined => {
  if (flows === undefined || flows.includes(isCode ? 'code' : 'implicit')) return undefined;
  return errorOf('unauthorized_client', `The client may not use this response_type`);
};

// Clients have no secrets here, so each proves that it is the one that began (RFC 9700 section 2.1.1).
const challengeError = (parameters: Parameters): AuthorizationError | undefined => {
  if (parameters.get('response_type') !== 'code') return undefined;
  const challenge = parameters.get('code_challenge');
  if (challenge === undefined) return errorOf('invalid_request', 'code_challenge is missing');
  if (parameters.get('code_challenge_method') !== 'S256') {
    return errorOf('invalid_request', 'code_challenge_method must be S256');
  }
  return challengePattern.test(challenge)
    ? undefined
    : errorOf('invalid_request', 'code_challenge must be 43 characters of base64url');
};

const repetitionError = (parameters: Parameters): AuthorizationError | undefined => {
  const name = single.find(parameters.isRepeated);
  return name === undefined ? undefined : errorOf('invalid_request', `${name} is given twice`);
};

/** What belongs to a client that is known, and an address that is its own. */
const readFor = (
  client: OAuthClient,
  redirectUri: string,
  parameters: Parameters,
  scopes: ServiceScopes,
): ReadAuthorizationRequest => {
  const responseType = parameters.get('response_type');
  const isCode = responseType === 'code';
  const response: ResponseTarget = {
    redirectUri,
    // The contract's flow responds in the fragment, so what asks for neither is told there, too.
    place: isCode ? 'query' : 'fragment',
    state: parameters.get('state'),
  };
  const error =
    repetitionError(parameters) ??
    responseTypeError(responseType) ??
    flowError(client, isCode) ??
    challengeError(parameters);
  if (error !== undefined) return { kind: 'invalid', response, error };
  const granted = requestedScopes(parameters.get('scope'), scopes);
  if (granted === undefined) {
    const names = [...scopes.known.keys()].join(' ');
    const unknown = errorOf('invalid_scope', `The scopes of this service are: ${names || 'none'}`);
    return { kind: 'invalid', response, error: unknown };
  }
  const challenge = isCode ? parameters.get('code_challenge') : undefined;
  const givenRedirectUri = parameters.get('redirect_uri');
  return {
    kind: 'request',
    request: { client, givenRedirectUri, scopes: granted, challenge, response },
  };
};

/** Reads the query of a request to the authorization endpoint. Parameters that it does not know are ignored. */
export const readAuthorizationRequest = async (
  query: string,
  { findClient, scopes }: AuthorizationRules,
): Promise<ReadAuthorizationRequest> => {
  const unsafe = (reason: UnsafeReason): ReadAuthorizationRequest => ({ kind: 'unsafe', reason });
  const parameters = readParameters(query);
  if (parameters === undefined) return unsafe('malformed');
  if (['client_id', 'redirect_uri'].some(parameters.isRepeated)) return unsafe('repeated');
  const clientId = parameters.get('client_id');
  if (clientId === undefined) return unsafe('no-client');
  const client = await findClient(clientId);
  if (client === undefined) return unsafe('unknown-client');
  const redirect = redirectUriOf(client, parameters.get('redirect_uri'));
  if ('reason' in redirect) return unsafe(redirect.reason);
  return readFor(client, redirect.uri, parameters, scopes);
};
