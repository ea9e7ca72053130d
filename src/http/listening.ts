/** A server of node:http that listens: its address, its bodies that wait to be asked for, and its orderly end. */

import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type RequestListener, Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { setImmediate as nextImmediate } from 'node:timers/promises';

const originOf = ({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string =>
  `http://${isIPv6(address) ? `[${address}]` : address}:${port}`;

/** Finds the origin to which `listen` would resolve, whether the port is in use or not. */
export const originAt = async (port: number, host: string): Promise<string> =>
  originOf({ ...(await lookup(host)), port });

/** Begins to listen. Resolves to the origin of the address; rejects with the error of the system. */
export const listen = async (server: Server, port: number, host: string): Promise<string> => {
  server.listen(port, host);
  await once(server, 'listening');
  return originOf(server.address() as AddressInfo);
};

/** Tries whether a server could listen there, and takes no connection. Resolves and rejects as `listen` does. */
export const tryToListen = async (port: number, host: string): Promise<string> => {
  const server = createServer();
  const origin = await listen(server, port, host);
  server.close();
  await once(server, 'close');
  return origin;
};

/**
 * Sends 100 Continue when the body is read for the first time. A refusal before that ends the connection, for the caller may send the
 * body or not (RFC 9110 section 10.1.1).
 */
export const continueWhenRead: RequestListener = (request, response) => {
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  request.once('resume', () => {
    if (response.headersSent) return;
    response.shouldKeepAlive = shouldKeepAlive;
    response.writeContinue();
  });
};

/**
 * Takes no more connections; the next response on each that is there says that it is the last (RFC 9112 section 9.6). Resolves when every
 * request in flight has its response, or after the time that was given them.
 */
export const drain = async (server: Server, seconds: number): Promise<void> => {
  // The time between two closings of idle connections during the stop, in which a request that is on its way arrives.
  const idleMilliseconds = 250;
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  // Connections that the system has taken by now arrive in the next turn of the event loop; `close` would reset them.
  await nextImmediate();
  await nextImmediate();
  const closed = once(server, 'close');
  // `close` would end the connections at once on which a request is on its way.
  server.closeIdleConnections = () => undefined;
  server.close();
  const closeIdle = (): void => Server.prototype.closeIdleConnections.call(server);
  // Timers come before what has arrived on connections, which are not idle then.
  const idle = setInterval(() => setImmediate(closeIdle), idleMilliseconds);
  const late = setTimeout(() => server.closeAllConnections(), seconds * 1000);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
};
