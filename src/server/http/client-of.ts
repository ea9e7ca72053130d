/** Tells who sent a request, behind proxies that are trusted. */

import proxyAddress from 'proxy-addr';
import type { ClientOf } from '../../engine';

/**
 * As Express tells it by `trust proxy`: the address that the last trusted proxy has named in X-Forwarded-For, and the protocol
 * of X-Forwarded-Proto.
 *
 * @param trustedProxies how many there are in front of the server
 */
export const clientBehind = (trustedProxies: number): ClientOf => {
  const isTrusted = (_address: string, hop: number): boolean => hop < trustedProxies;
  return (request) => {
    const { socket, headers } = request;
    const isEncrypted = 'encrypted' in socket && socket.encrypted === true;
    const forwarded = trustedProxies > 0 ? headers['x-forwarded-proto'] : undefined;
    const [protocol = ''] = String(forwarded ?? '').split(',');
    return {
      address: proxyAddress(request, isTrusted) ?? '',
      secure: forwarded ? protocol.trim() === 'https' : isEncrypted,
    };
  };
};
