/** Responses for clients, not for users: JSON (RFC 6749 sections 5.1 and 5.2), and the forms that ask for it. */

import type { HttpResponse } from '../../../engine';
import type { Endpoint, EndpointRequest } from './endpoint';
import { type Parameters, readParameters } from './parameters';

/** The errors of RFC 6749 section 5.2 and RFC 7009 section 2.2.1 that there are here. */
export type ClientError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type';

/** JSON that no cache stores. */
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

/** An error; the description is for the client's developer. */
export const errorResponse = (error: ClientError, description: string): HttpResponse =>
  jsonResponse(400, { error, error_description: description });

/** RFC 6749 section 5.2: 401 names the way in which the client tried to authenticate itself. */
export const unknownClient = (description: string, challenge: string): HttpResponse =>
  jsonResponse(
    401,
    { error: 'invalid_client', error_description: description },
    { 'WWW-Authenticate': challenge },
  );

/** Makes an endpoint of a function of a form's parameters, of which the known ones may not come twice. */
export const formEndpoint =
  (
    known: readonly string[],
    answer: (parameters: Parameters, request: EndpointRequest) => Promise<HttpResponse>,
  ): Endpoint =>
  async (request) => {
    const parameters = request.form === undefined ? undefined : readParameters(request.form);
    if (parameters === undefined) {
      const description = 'The body must be a form (application/x-www-form-urlencoded)';
      return errorResponse('invalid_request', description);
    }
    const twice = known.find(parameters.isRepeated);
    return twice === undefined
      ? answer(parameters, request)
      : errorResponse('invalid_request', `${twice} is given twice`);
  };
