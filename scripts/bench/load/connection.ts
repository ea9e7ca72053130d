/** One kept connection to a server: a request at a time, and a new connection where the server ends one. */

import { connect, type Socket } from 'node:net';
import { answerReader } from './response-reader';

/** The status of an answer that never came, because the connection was lost. */
export const lost = 0;

export interface Connection {
  /** Sends a request; its answer is told once. */
  send(bytes: Buffer): void;
  destroy(): void;
}

/**
 * Opens a connection. A request that is sent before it stands is held back until then.
 * @param onAnswer gets the status of each answer, or `lost`
 */
export const openConnection = (port: number, onAnswer: (status: number) => void): Connection => {
  let waiting = false;
  let destroyed = false;
  let socket: Socket;

  const answered = (status: number): void => {
    waiting = false;
    onAnswer(status);
  };

  const open = (): void => {
    const read = answerReader();
    const opened = connect({ port, host: '127.0.0.1', noDelay: true });
    socket = opened;
    opened.on('data', (bytes: Buffer) => {
      const answer = read(bytes);
      if (answer === undefined) return;
      if (answer.closes) open();
      answered(answer.status);
    });
    // What went wrong is told by the close that follows.
    opened.on('error', () => {});
    opened.once('close', () => {
      if (destroyed || socket !== opened) return;
      open();
      if (waiting) answered(lost);
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
