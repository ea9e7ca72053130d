/** OAuth clients: finding them, and checking their redirect URIs. */

import type { ClientStorage, OAuthClient } from '../../storage/identity/clients';
import { type EndpointRequest, errorResponse, type Parameters, unknownClient } from './endpoint';

/**
 * The OAuth client that the documentation page is of each service (RFC 6749 section 2.2), without registration; its redirect is
 * `oauth2-redirect.html` beside the page.
 */
export const docsClientId = 'docs';

/** Finds a client of the service. */
export type FindClient = (clientId: string) => Promise<OAuthClient | undefined>;

/** Makes the client of a service's documentation page, at the public origin and at a port of this machine. */
export const docsClient = (origin: string, basePath: string, port: number): OAuthClient => {
  // Browsers write origins without the default port of the scheme.
  const local = ['localhost', '127.0.0.1'].map((host) => new URL(`http://${host}:${port}`).origin);
  return {
    clientId: docsClientId,
    name: 'API documentation',
    redirectUris: [...new Set([origin, ...local])].map(
      (origin) => `${origin}${basePath}/docs/oauth2-redirect.html`,
    ),
  };
};

/**
 * Makes the function that finds the documentation page and the registered clients, and then others.
 *
 * @param findOther - finds those without registration; undefined: there are none
 */
export const clientFinder =
  (stored: Pick<ClientStorage, 'find'>, docs: OAuthClient, findOther?: FindClient): FindClient =>
  async (clientId) => {
    if (clientId === docs.clientId) return docs;
    // RFC 6749 appendix A.1. A database takes no U+0000, and no other identifier can be registered.
    if (!/^[\x20-\x7E]{1,200}$/.test(clientId)) return undefined;
    return (await stored.find(clientId)) ?? findOther?.(clientId);
  };

/** Tells whether a redirect URI is absolute, without a fragment (RFC 6749 section 3.1.2), and of TLS or of this machine. */
export const isRedirectUri = (text: string): boolean => {
  const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
  // A URI is ASCII (RFC 3986 section 2), and so is the header that sends browsers there.
  if (!/^[\x21-\x7E]+$/.test(text) || text.includes('#') || !URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && loopbackHosts.has(hostname));
};

/**
 * Tells whether a redirect URI is registered, character by character (RFC 9700 section 2.1). Where the URI of a loopback address is
 * registered without a port, every port is accepted, because native applications use any free port (RFC 8252 section 7.3).
 */
export const isRegistered = (uri: string, { redirectUris }: OAuthClient): boolean => {
  if (redirectUris.includes(uri)) return true;
  const portless = uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?])/, '$1');
  return portless !== uri && URL.canParse(uri) && redirectUris.includes(portless);
};

/** Finds the client that sent a request, or makes the response that refuses it. */
export const checkClient = async (
  { findClient, service }: { readonly findClient: FindClient; readonly service: string },
  parameters: Parameters,
  { headers }: EndpointRequest,
) => {
  const challenge = `Basic realm="${service}"`;
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
    ? { refusal: unknownClient('The client is unknown', challenge) }
    : { client };
};
