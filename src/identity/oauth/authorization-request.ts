/** Authorization requests and responses (RFC 6749 sections 4.1 and 4.2, RFC 7636 section 4.3). */

import type { HttpResponse } from '../../http/send';
import type { OAuthClient } from '../../storage/identity/clients';
import type { ForResources } from '../../storage/identity/tokens';
import { requestedResources } from '../resources';
import { type FindClient, isRegistered } from './clients';
import { type Parameters, readFormParameters } from './endpoint';
import type { PageError } from './texts';

/** The scopes of a service. */
export interface ServiceScopes {
  /** All scopes, with their descriptions. */
  readonly known: ReadonlyMap<string, string | undefined>;
  /** The scopes that operations require: they are granted where a request names none. */
  readonly required: readonly string[];
}

/**
 * Reads the scopes of a `scope` parameter, each once; undefined where one is unknown, or none can be granted.
 *
 * @param text - undefined where the parameter was left out
 */
export const requestedScopes = (
  text: string | undefined,
  { known, required }: ServiceScopes,
): readonly string[] | undefined => {
  const named = (text ?? '').split(' ').filter((scope) => scope !== '');
  const scopes = named.length === 0 ? required : [...new Set(named)];
  return scopes.length > 0 && scopes.every((scope) => known.has(scope)) ? scopes : undefined;
};

/** The description of the error `invalid_target`. */
export const resourceProblem =
  'resource must be the URL of this service or one below it, without a query, and no wider than what was granted';

/** The place to which the response of a request goes. */
interface ResponseTarget {
  /** A registered redirect URI of the client. */
  readonly redirectUri: string;
  readonly place: 'query' | 'fragment';
  /** The state of the request, which is returned unchanged (RFC 6749 section 10.12). */
  readonly state: string | undefined;
}

type AuthorizationError = Readonly<Record<'error' | 'error_description', string>>;

/**
 * Makes the parameters of an error response (RFC 6749 sections 4.1.2.1 and 4.2.2.1).
 *
 * @param description - a text for the developer of the client: printable ASCII without quotes and backslashes (RFC 6749 appendix A.8)
 */
export const authorizationError = (
  code:
    | 'invalid_request'
    | 'unauthorized_client'
    | 'unsupported_response_type'
    | 'invalid_scope'
    | 'invalid_target'
    | 'access_denied',
  description: string,
): AuthorizationError => ({ error: code, error_description: description });

/** A valid request, which is shown to the user. */
export interface AuthorizationRequest extends ForResources {
  readonly client: OAuthClient;
  /** The redirect URI of the request; undefined where it was left out. */
  readonly givenRedirectUri: string | undefined;
  readonly scopes: readonly string[];
  /** The challenge of PKCE, which asks for a code; undefined where the request asks for an access token. */
  readonly challenge: string | undefined;
  readonly response: ResponseTarget;
}

interface InvalidRequest {
  readonly response: ResponseTarget;
  readonly error: AuthorizationError;
}

/** Finds what is wrong with a request, but for its scopes and resources. */
const requestError = (
  { flows }: OAuthClient,
  parameters: Parameters,
): AuthorizationError | undefined => {
  const single = ['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method'];
  const repeated = single.find(parameters.isRepeated);
  if (repeated !== undefined) {
    return authorizationError('invalid_request', `${repeated} is given twice`);
  }
  const type = parameters.get('response_type');
  if (type === undefined) return authorizationError('invalid_request', 'response_type is missing');
  if (type !== 'code' && type !== 'token') {
    const description = 'response_type must be token or code';
    return authorizationError('unsupported_response_type', description);
  }
  // RFC 6749 sections 4.1.2.1 and 4.2.2.1
  if (flows?.includes(type === 'code' ? 'code' : 'implicit') === false) {
    return authorizationError('unauthorized_client', 'The client may not use this response_type');
  }
  if (type === 'token') return undefined;
  // Clients have no secrets here, so PKCE proves that the client of the token request began the flow (RFC 9700 section 2.1.1).
  const challenge = parameters.get('code_challenge');
  if (challenge === undefined)
    return authorizationError('invalid_request', 'code_challenge is missing');
  if (parameters.get('code_challenge_method') !== 'S256') {
    return authorizationError('invalid_request', 'code_challenge_method must be S256');
  }
  // RFC 7636 section 4.2: BASE64URL of a SHA-256.
  return /^[\w-]{43}$/.test(challenge)
    ? undefined
    : authorizationError('invalid_request', 'code_challenge must be 43 characters of base64url');
};

/** The service that a request is for. */
interface RequestedService {
  readonly findClient: FindClient;
  readonly scopes: ServiceScopes;
  readonly issuer: string;
}

/** Reads the request of a known client with a registered redirect URI. */
const readFor = (
  client: OAuthClient,
  redirectUri: string,
  parameters: Parameters,
  { scopes, issuer }: RequestedService,
): AuthorizationRequest | InvalidRequest => {
  const isCode = parameters.get('response_type') === 'code';
  const response: ResponseTarget = {
    redirectUri,
    // The flow of the documents responds in the fragment, and so do errors of an unknown response type.
    place: isCode ? 'query' : 'fragment',
    state: parameters.get('state'),
  };
  const error = requestError(client, parameters);
  if (error !== undefined) return { response, error };
  const granted = requestedScopes(parameters.get('scope'), scopes);
  if (granted === undefined) {
    const description = `The scopes of this service are: ${[...scopes.known.keys()].join(' ') || 'none'}`;
    return { response, error: authorizationError('invalid_scope', description) };
  }
  const resources = requestedResources(parameters.resources, issuer);
  if (resources === undefined) {
    return { response, error: authorizationError('invalid_target', resourceProblem) };
  }
  return {
    client,
    givenRedirectUri: parameters.get('redirect_uri'),
    scopes: granted,
    resources: resources.length > 0 ? resources : undefined,
    challenge: isCode ? parameters.get('code_challenge') : undefined,
    response,
  };
};

/**
 * Reads the query of a request to the authorization endpoint; the reason for a page where nothing may be sent to the redirect URI
 * (RFC 6749 section 4.1.2.1). Unknown parameters are ignored.
 */
export const readAuthorizationRequest = async (
  query: string,
  service: RequestedService,
): Promise<AuthorizationRequest | InvalidRequest | PageError> => {
  const parameters = readFormParameters(query);
  if (parameters === undefined) return 'malformed';
  if (['client_id', 'redirect_uri'].some(parameters.isRepeated)) return 'repeated';
  const clientId = parameters.get('client_id');
  if (clientId === undefined) return 'no-client';
  const client = await service.findClient(clientId);
  if (client === undefined) return 'unknown-client';
  const given = parameters.get('redirect_uri');
  if (given !== undefined && !isRegistered(given, client)) return 'unregistered-redirect-uri';
  // RFC 6749 section 3.1.2.3: it may be left out where a single one is registered.
  const [only, ...others] = client.redirectUris;
  const redirectUri = given ?? (others.length === 0 ? only : undefined);
  if (redirectUri === undefined) return 'no-redirect-uri';
  return readFor(client, redirectUri, parameters, service);
};

/** Redirects the browser by GET, whatever the method of its request was (RFC 9700 section 4.12). */
export const seeOther = (location: string, cookies: readonly string[] = []): HttpResponse => ({
  status: 303,
  headers: {
    Location: location,
    'Referrer-Policy': 'no-referrer',
    ...(cookies.length > 0 && { 'Set-Cookie': cookies }),
  },
  body: undefined,
});

/**
 * Redirects the browser to the client with the outcome of its request.
 *
 * @param issuer - the URL of the authorization server (RFC 9207)
 * @param outcome - an error, a code, or an access token
 */
export const authorizationResponse = (
  { redirectUri, place, state }: ResponseTarget,
  issuer: string,
  outcome: Readonly<Record<string, string>>,
): HttpResponse => {
  const parameters = { ...outcome, ...(state !== undefined && { state }), iss: issuer };
  // Not every client takes a plus for a blank, while every client takes %20.
  const values = new URLSearchParams(parameters).toString().replaceAll('+', '%20');
  if (place === 'fragment') return seeOther(`${redirectUri}#${values}`);
  // RFC 6749 section 3.1.2: the query of the URI itself stays.
  return seeOther(`${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${values}`);
};
