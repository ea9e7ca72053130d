/** One kept-alive connection to a server: a request at a time, and a new connection where the server ends one. */

import { connect, type Socket } from 'node:net';
import { responseReader } from './response-reader';

/** The status of a response that never came, because the connection was lost. */
export const lost = 0;

export interface Connection {
  /** Sends a request; `onResponse` is called once. */
  send(bytes: Buffer): void;
  destroy(): void;
}

/**
 * Opens a connection. A request that is sent before it stands is held back until then.
 * @param onResponse gets the status of each response, or `lost`
 */
export const openConnection = (port: number, onResponse: (status: number) => void): Connection => {
  let waiting = false;
  let destroyed = false;
  let socket: Socket;

  const responded = (status: number): void => {
    waiting = false;
    onResponse(status);
  };

  const open = (): void => {
    const read = responseReader();
    const opened = connect({ port, host: '127.0.0.1', noDelay: true });
    socket = opened;
    opened.on('data', (bytes: Buffer) => {
      const response = read(bytes);
      if (response === undefined) return;
      if (response.closes) open();
      responded(response.status);
    });
    // The close that follows an error is handled.
    opened.on('error', () => {});
    opened.once('close', () => {
      if (destroyed || socket !== opened) return;
      open();
      if (waiting) responded(lost);
    });
  };

  open();
  return {
    send(bytes) {
      waiting = true;
      socket.write(bytes);
    },
    destroy() {
      destroyed = true;
      socket.destroy();
    },
  };
};
