/** What an endpoint of the authorization server is: a function from a request to an answer. */

import type { Answer, VerifierRequest } from '../../../engine';

/** A request as far as an endpoint looks at it. */
export interface EndpointRequest extends VerifierRequest {
  /** As it was sent, without `?`. */
  readonly query: string;
  /** The body as it was sent; undefined where it is no form (application/x-www-form-urlencoded). */
  readonly form: string | undefined;
}

/** Answers one request. */
export type Endpoint = (request: EndpointRequest) => Promise<Answer>;
