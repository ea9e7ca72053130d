/** Notices that a caller has gone, also where the answer still waits for others on its connection. */

import type { IncomingMessage } from 'node:http';

/**
 * Calls `act` when the connection closes, later if it has closed already.
 * @returns what ends the watch
 */
export const whenGone = ({ socket }: IncomingMessage, act: () => void): (() => void) => {
  let isWatching = true;
  const gone = () => {
    if (isWatching) act();
  };
  // Node closes no answer that waits behind another. Of such answers a connection may have any number.
  socket.setMaxListeners(0).once('close', gone);
  if (socket.destroyed) setImmediate(gone);
  return () => {
    isWatching = false;
    socket.off('close', gone);
  };
};
