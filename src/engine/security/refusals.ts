/** Refusals: the reason, the accepted credentials, and where to get them. */

import { HttpError } from '../../http/http-error';
import { sharedHeaders } from '../../http/send';
import { isWholeAddress, type SecurityScheme } from '../../model/document';

/** The words of refusals about one scheme. */
export interface SchemeWords {
  /** The challenge of a 401 (RFC 9110 section 11.6.1). */
  readonly challenge: string;
  /** The challenge where a credential was sent and is no good. */
  readonly refused: string;
  /** A sentence about such a credential. */
  readonly notValid: string;
  /** The accepted credential: `an API key in the header X-Key`; undefined where none is accepted. */
  readonly accepted: string | undefined;
}

/** Writes a challenge; values are quoted (RFC 9110 section 5.6.4), and those that no header can hold left out. */
export const challengeOf = (
  scheme: string,
  parameters: Readonly<Record<string, string | readonly string[]>>,
): string => {
  const written = Object.entries(parameters).flatMap(([name, values]) =>
    [values]
      .flat()
      .filter((value) => /^[\x20-\x7e]*$/.test(value))
      .map((value) => `${name}="${value.replaceAll(/["\\]/g, '\\$&')}"`),
  );
  return `${scheme} ${written.join(', ')}`;
};

/** Writes a list: `a`, `a and b`, `a, b and c`. */
const listed = (words: readonly string[], last: string): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')}${last}${words.at(-1)}`;

const scopeWords = (scopes: readonly string[]): string =>
  `the scope${scopes.length === 1 ? '' : 's'} ${listed(scopes, ' and ')}`;

/** Lists the addresses that the flows of OAuth name, each once; none that lacks a part. */
const flowAddresses = (
  scheme: SecurityScheme | undefined,
  key: 'authorizationUrl' | 'tokenUrl',
): readonly string[] => {
  const flows = scheme?.type === 'oauth2' ? Object.values(scheme.flows) : [];
  return [...new Set(flows.flatMap((flow) => flow[key] ?? []))].filter(isWholeAddress);
};

/**
 * Finds where a scheme's tokens come from; a token endpoint is named only where it is the beginning.
 * @param signInUrl a page on which a person can get tokens, in place of an endpoint that only programs can use
 */
const tokenSources = (
  scheme: SecurityScheme | undefined,
  signInUrl: string | undefined,
): readonly string[] => {
  if (signInUrl !== undefined) return [signInUrl];
  if (scheme?.type === 'openIdConnect') return [scheme.openIdConnectUrl].filter(isWholeAddress);
  const authorize = flowAddresses(scheme, 'authorizationUrl');
  return authorize.length > 0 ? authorize : flowAddresses(scheme, 'tokenUrl');
};

/** Makes the words of a scheme whose credentials are bearer tokens (RFC 6750 section 3, which allows further parameters). */
export const bearerWords = (
  realm: string,
  scheme: SecurityScheme | undefined,
  scopes: readonly string[],
  signInUrl: string | undefined,
): SchemeWords => {
  const sources = tokenSources(scheme, signInUrl);
  const parameters = {
    scope: scopes.length > 0 ? scopes.join(' ') : [],
    authorization_uri: flowAddresses(scheme, 'authorizationUrl'),
    token_uri: flowAddresses(scheme, 'tokenUrl'),
  };
  const error = {
    error: 'invalid_token',
    error_description: 'The access token is unknown, expired or revoked',
  };
  return {
    challenge: challengeOf('Bearer', { realm, ...parameters }),
    refused: challengeOf('Bearer', { realm, ...error, ...parameters }),
    notValid: 'The token is not valid',
    accepted: [
      'a bearer token',
      ...(scopes.length > 0 ? [`with ${scopeWords(scopes)}`] : []),
      ...(sources.length > 0 ? [`from ${listed(sources, ' or ')}`] : []),
    ].join(' '),
  };
};

/** Lists the accepted credentials, as a sentence to follow another; empty where none is accepted. */
export const adviceOf = (alternatives: readonly string[]): string =>
  alternatives.length === 0 ? '' : `. Send ${listed([...new Set(alternatives)], ', or ')}`;

/**
 * Makes the 401s of an operation; their texts are made once (RFC 9110 section 15.5.2).
 * @param advice see `adviceOf`
 * @returns the error, given the place of the scheme whose credential came and is no good, -1 where none came; and a last sentence
 */
export const refusalOf = (
  schemes: readonly SchemeWords[],
  advice: string,
  missing = 'Credentials are required',
): ((bad: number, problem: string | undefined) => HttpError) => {
  const refusal = (sentence: string, scheme: SchemeWords | undefined) => {
    // One token is the credential of every scheme that takes one.
    const isToken = scheme !== undefined && scheme.refused !== scheme.challenge;
    const challenges = schemes.map(({ challenge, refused }) => (isToken ? refused : challenge));
    const headers = sharedHeaders({ 'WWW-Authenticate': [...new Set(challenges)].join(', ') });
    return { message: sentence + advice, headers };
  };
  const ifMissing = refusal(missing, undefined);
  const ifBad = schemes.map((scheme) => refusal(scheme.notValid, scheme));
  return (bad, problem) => {
    const { message, headers } = ifBad[bad] ?? ifMissing;
    const all = problem === undefined ? message : `${message}. ${problem}`;
    return new HttpError(401, 'unauthenticated', all, { headers });
  };
};

/** Makes the 403 of a credential that is good, but not for this (RFC 6750 section 3.1). */
const insufficient = (message: string, parameters: Readonly<Record<string, string>>): HttpError =>
  new HttpError(403, 'forbidden', message, {
    headers: { 'WWW-Authenticate': challengeOf('Bearer', parameters) },
  });

/** Makes the 403 of a token that lacks scopes. */
export const insufficientScope = (
  realm: string,
  scopes: readonly string[],
  advice: string,
): HttpError => {
  const verb = scopes.length === 1 ? 'is' : 'are';
  const words = scopeWords(scopes).replace('the', 'The');
  const error = { error: 'insufficient_scope', scope: scopes.join(' ') };
  return insufficient(`${words} ${verb} required${advice}`, { realm, ...error });
};

/** Makes the 403 of a credential that is not a login. */
export const loginRequired = (realm: string, advice: string): HttpError =>
  insufficient(`This operation requires a logged-in user, not a token or API key${advice}`, {
    realm,
    error: 'insufficient_scope',
    error_description: 'The token of a login is required',
  });
