/** What an endpoint of the authorization server is: a function from a request to a response. */

import type { CredentialRequest, HttpResponse } from '../../../engine';

/** A request as far as an endpoint uses it. */
export interface EndpointRequest extends CredentialRequest {
  /** As it was sent, without `?`. */
  readonly query: string;
  /** The body as it was sent; undefined where it is no form (application/x-www-form-urlencoded). */
  readonly form: string | undefined;
}

/** Responds to one request. */
export type Endpoint = (request: EndpointRequest) => Promise<HttpResponse>;
