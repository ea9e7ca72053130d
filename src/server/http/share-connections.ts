/** Bounds the connections of one address, so that a single host cannot hold all that there are. */

import type { Server } from 'node:net';
import { networkOf } from './network-of';

/**
 * Makes the server close a connection at once whose peer's address, or /64 of IPv6, holds `most` already.
 * @param most connections of one address at one time, of this process
 */
export const shareConnections = (server: Server, most: number): void => {
  const held = new Map<string, number>();
  server.prependListener('connection', (socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = held.get(network) ?? 0;
    if (count >= most) {
      socket.destroy();
      return;
    }
    held.set(network, count + 1);
    socket.once('close', () => {
      const left = (held.get(network) ?? 0) - 1;
      if (left > 0) held.set(network, left);
      else held.delete(network);
    });
  });
};
