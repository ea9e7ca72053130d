/** Tells who sent a request, behind proxies that are trusted. */

import proxyAddress from 'proxy-addr';
import type { ClientOf } from '../../engine';

/**
 * As Express tells it by `trust proxy`: the address that the farthest trusted proxy names in X-Forwarded-For, and the protocol
 * that X-Forwarded-Proto names first.
 *
 * @param trustedProxies how many there are in front of the server
 */
export const clientBehind = (trustedProxies: number): ClientOf => {
  const isTrusted = (_address: string, hop: number): boolean => hop < trustedProxies;
  return (request) => {
    const { socket, headers } = request;
    const own = 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http';
    const forwarded = trustedProxies > 0 ? headers['x-forwarded-proto'] : undefined;
    const [protocol = ''] = String(forwarded || own).split(',');
    // A connection that has closed has no address.
    return { address: proxyAddress(request, isTrusted) ?? '', secure: protocol.trim() === 'https' };
  };
};
