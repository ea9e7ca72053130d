/** The clients that may ask users for access, and where responses may be sent. */

import type { HttpResponse } from '../../../engine';
import type { ClientStorage, OAuthClient } from '../../../storage/identity/clients';
import { type EndpointRequest, errorResponse, type Parameters, unknownClient } from './endpoint';

/** Finds a client of the service. */
export type FindClient = (clientId: string) => Promise<OAuthClient | undefined>;

// RFC 6749 appendix A.1. A database takes no U+0000, and no other identifier can be registered.
const clientIdPattern = /^[\x20-\x7E]{1,200}$/;

/** The identifier of the client that each service has without registration: its documentation page. */
export const docsClientId = 'docs';

/** Where a service is reached. */
export interface ServiceAddress {
  /** The origin under which callers reach the program. */
  readonly origin: string;
  /** Without a trailing slash; empty for the root. */
  readonly basePath: string;
  /** The port that it listens on. */
  readonly port: number;
}

/** The documentation page of a service as a client: at the public origin, and on this machine. */
export const docsClient = ({ origin, basePath, port }: ServiceAddress): OAuthClient => {
  // As browsers write origins: without the scheme's own port.
  const local = ['localhost', '127.0.0.1'].map((host) => new URL(`http://${host}:${port}`).origin);
  return {
    clientId: docsClientId,
    name: 'API documentation',
    redirectUris: [...new Set([origin, ...local])].map(
      (one) => `${one}${basePath}/docs/oauth2-redirect.html`,
    ),
  };
};

/** Finds the documentation page, and the clients that were registered. */
export const clientFinder =
  (stored: Pick<ClientStorage, 'find'>, docs: OAuthClient): FindClient =>
  async (clientId) => {
    if (clientId === docs.clientId) return docs;
    return clientIdPattern.test(clientId) ? stored.find(clientId) : undefined;
  };

const loopbackWithPort = /^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?])/;

/**
 * Whether a redirect URI is the registered one, character by character (RFC 9700 section 2.1). Where one of a loopback address
 * is registered without a port, every port fits, because native applications take what is free (RFC 8252 section 7.3).
 */
export const isRegistered = (given: string, { redirectUris }: OAuthClient): boolean => {
  if (redirectUris.includes(given)) return true;
  const portless = given.replace(loopbackWithPort, '$1');
  return portless !== given && URL.canParse(given) && redirectUris.includes(portless);
};

/** The client that calls, or the response that refuses it. */
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
