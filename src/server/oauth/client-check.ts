/** Which client calls: each has an identifier, and none has a secret (RFC 6749 section 2.1, public clients). */

import type { HttpResponse } from '../../engine';
import type { OAuthClient } from '../storage/identity/clients';
import type { FindClient } from './protocol/clients';
import type { EndpointRequest } from './protocol/endpoint';
import { errorResponse, unknownClient } from './protocol/json-response';
import type { Parameters } from './protocol/parameters';

/** The client that calls, or the answer that refuses it. */
export type CheckClient = (
  parameters: Parameters,
  request: EndpointRequest,
) => Promise<{ readonly client: OAuthClient } | { readonly refusal: HttpResponse }>;

/** Makes the check. */
export const clientCheck = (findClient: FindClient, realm: string): CheckClient => {
  const challenge = `Basic realm="${realm}"`;
  return async (parameters, { headers }) => {
    if (headers['authorization'] !== undefined || parameters.get('client_secret') !== undefined) {
      const description = 'Clients have no secrets here: send client_id alone';
      return { refusal: unknownClient(description, challenge) };
    }
    const clientId = parameters.get('client_id');
    if (clientId === undefined) {
      return { refusal: errorResponse('invalid_request', 'client_id is missing') };
    }
    const client = await findClient(clientId);
    return client === undefined
      ? { refusal: unknownClient('The client is not known', challenge) }
      : { client };
  };
};
