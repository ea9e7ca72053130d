/** Redirects the browser to the client with the outcome of its request (RFC 6749 sections 4.1.2 and 4.2.2). */

import type { HttpResponse } from '../../../engine';

/** Where a client wants its response. */
export interface ResponseTarget {
  /** One of the client's own. */
  readonly redirectUri: string;
  readonly place: 'query' | 'fragment';
  /** Given back as it came (RFC 6749 section 10.12). */
  readonly state: string | undefined;
}

/** Why a request came to nothing (RFC 6749 sections 4.1.2.1 and 4.2.2.1). */
export interface AuthorizationError {
  readonly code:
    | 'invalid_request'
    | 'unauthorized_client'
    | 'unsupported_response_type'
    | 'invalid_scope'
    | 'access_denied';
  /** For the client's developer: printable ASCII without quotes and backslashes (RFC 6749 appendix A.8). */
  readonly description: string;
}

const locationOf = ({ redirectUri, place }: ResponseTarget, values: URLSearchParams): string => {
  // Not every client takes a plus for a blank, while every client takes %20.
  const parameters = values.toString().replaceAll('+', '%20');
  if (place === 'fragment') return `${redirectUri}#${parameters}`;
  // RFC 6749 section 3.1.2: a query that the URI has of its own stays.
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`;
};

/** Sends the browser elsewhere by GET, whatever it came with (RFC 9700 section 4.12). */
export const seeOther = (location: string, cookies: readonly string[] = []): HttpResponse => ({
  status: 303,
  headers: {
    Location: location,
    'Referrer-Policy': 'no-referrer',
    ...(cookies.length > 0 && { 'Set-Cookie': cookies }),
  },
  body: undefined,
});

/** Makes the responses of the authorization server `issuer`, which each of them names (RFC 9207). */
export const authorizationResponses = (issuer: string) => {
  const respond = (
    address: ResponseTarget,
    values: Readonly<Record<string, string>>,
    cookies?: readonly string[],
  ): HttpResponse => {
    const { state } = address;
    const parameters = { ...values, ...(state !== undefined && { state }), iss: issuer };
    return seeOther(locationOf(address, new URLSearchParams(parameters)), cookies);
  };
  return {
    granted: respond,
    refused: (address: ResponseTarget, { code, description }: AuthorizationError): HttpResponse =>
      respond(address, { error: code, error_description: description }),
  };
};

/** Responses to clients. */
export type AuthorizationResponses = ReturnType<typeof authorizationResponses>;
