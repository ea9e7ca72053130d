/** Endpoints of the authorization server: functions from a request to a response. */

import { attempt } from '../../base/recover';
import type { CredentialRequest } from '../../http/caller';
import type { HttpResponse } from '../../http/send';

/** A request as far as an endpoint uses it. */
export interface EndpointRequest extends CredentialRequest {
  /** The query of the target, without `?`. */
  readonly query: string;
  /** The text of the body; undefined where it is not a form (application/x-www-form-urlencoded). */
  readonly form: string | undefined;
}

/** Responds to one request. */
export type Endpoint = (request: EndpointRequest) => Promise<HttpResponse>;

/** The parameters of a query or a form. */
export interface Parameters {
  /** The value; undefined where it is missing, empty or given twice. */
  get(name: string): string | undefined;
  /** RFC 6749 section 3.1: no parameter may be included more than once. */
  isRepeated(name: string): boolean;
  /** The values of the one that may be repeated (RFC 8707 section 2). */
  readonly resources: readonly string[];
}

/** Reads the text; undefined where it is malformed. */
export const readFormParameters = (text: string): Parameters | undefined => {
  // Every escape must stand for a byte, and the bytes for UTF-8.
  if (attempt(() => decodeURIComponent(text)) === undefined) return undefined;
  const parameters = new URLSearchParams(text);
  const isRepeated = (name: string): boolean => parameters.getAll(name).length > 1;
  return {
    // RFC 6749 section 3.1: a parameter without a value is treated as if it were omitted.
    get: (name) => (isRepeated(name) ? undefined : parameters.get(name) || undefined),
    isRepeated,
    resources: parameters.getAll('resource').filter((resource) => resource !== ''),
  };
};

/** Makes a response of JSON that no cache stores. */
export const jsonResponse = (
  status: number,
  body: object,
  headers: HttpResponse['headers'] = {},
): HttpResponse => ({
  status,
  headers: {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    Pragma: 'no-cache',
    ...headers,
  },
  body: JSON.stringify(body),
});

/** Makes an error response (RFC 6749 section 5.2, RFC 8707 section 2); the description is for the developer of the client. */
export const errorResponse = (
  error: 'invalid_request' | 'invalid_grant' | 'invalid_target' | 'unsupported_grant_type',
  description: string,
): HttpResponse => jsonResponse(400, { error, error_description: description });

/** Makes a 401 response, which names an authentication scheme (RFC 6749 section 5.2). */
export const unknownClient = (description: string, challenge: string): HttpResponse =>
  jsonResponse(
    401,
    { error: 'invalid_client', error_description: description },
    { 'WWW-Authenticate': challenge },
  );

/** Makes an endpoint that reads a form, in which none of the known parameters may be given twice. */
export const formEndpoint =
  (
    known: readonly string[],
    respond: (parameters: Parameters, request: EndpointRequest) => Promise<HttpResponse>,
  ): Endpoint =>
  async (request) => {
    const parameters = request.form === undefined ? undefined : readFormParameters(request.form);
    if (parameters === undefined) {
      const description = 'The body must be a form (application/x-www-form-urlencoded)';
      return errorResponse('invalid_request', description);
    }
    const twice = known.find(parameters.isRepeated);
    return twice === undefined
      ? respond(parameters, request)
      : errorResponse('invalid_request', `${twice} is given twice`);
  };
