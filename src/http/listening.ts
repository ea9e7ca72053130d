/** A server of node:http that listens: its address, and its orderly end. */

import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Begins to listen. Resolves to the origin of the address; rejects with the error of the system. */
export const listen = async (server: Server, port: number, host: string): Promise<string> => {
  server.listen(port, host);
  await once(server, 'listening');
  const bound = server.address() as AddressInfo;
  return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
};

/** The time between two closings of idle connections during the stop. */
const idleCheckMilliseconds = 20;

/** Takes no more requests. Resolves when every request in flight has its response, or after the time that was given them. */
export const drain = async (server: Server, seconds: number): Promise<void> => {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMilliseconds);
  const late = setTimeout(() => server.closeAllConnections(), seconds * 1000);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
};
