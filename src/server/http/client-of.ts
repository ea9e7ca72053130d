/** Tells the sender of a request: the address, and whether it came over TLS, also behind trusted proxies. */

import type { IncomingMessage } from 'node:http';
import proxyAddress from 'proxy-addr';
import type { ClientOf } from '../../http/caller';
import type { Layer } from './layer';

const overTls =
  (trustedProxies: number) =>
  ({ socket, headers }: IncomingMessage): boolean => {
    const direct = 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http';
    const forwarded = trustedProxies > 0 ? headers['x-forwarded-proto'] : undefined;
    const [protocol = ''] = String(forwarded || direct).split(',');
    return protocol.trim() === 'https';
  };

/**
 * Makes the function that tells the client as Express does by `trust proxy`: the address that the farthest trusted proxy names in
 * X-Forwarded-For, and the protocol that X-Forwarded-Proto names first.
 *
 * @param trustedProxies - the number of proxies in front of the server
 */
export const clientBehind = (trustedProxies: number): ClientOf => {
  const isTrusted = (_address: string, hop: number): boolean => hop < trustedProxies;
  const isSecure = overTls(trustedProxies);
  const addressOf = (request: IncomingMessage): string | undefined =>
    trustedProxies === 0 ? request.socket.remoteAddress : proxyAddress(request, isTrusted);
  return (request) => ({
    // A connection that has closed has no address.
    address: addressOf(request) ?? '',
    secure: isSecure(request),
  });
};

/** Makes the layer that has browsers which came over TLS come back over TLS alone, for a year (RFC 6797). */
export const strictTransport = (trustedProxies: number): Layer => {
  const isSecure = overTls(trustedProxies);
  return (next) => (request, response) => {
    if (isSecure(request)) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
    next(request, response);
  };
};
