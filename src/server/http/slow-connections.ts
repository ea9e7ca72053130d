/** Ends connections whose bodies come, or whose responses are read, too slowly, so that few callers cannot hold much for long. */

import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds between two looks: a body may stall for as long, and no longer than two of them. */
const interval = 10_000;

/** The message of the error of a body that comes too slowly. */
export const slowBody = 'The body comes too slowly';

/**
 * Makes the server look at its connections from time to time. It ends a connection whose body has come too slowly since the last look
 * by the event `clientError`, as one whose request has not come in time. It cuts off a connection whose reader has been behind, and
 * would have been too slow even if it took at once all that waits for it, or has taken nothing for a minute.
 *
 * @param speed - the least speed, in bytes a second
 * @param latestOf - gives the response to the latest request of a connection, while there is one
 */
export const endSlowConnections = (
  server: Server,
  speed: number,
  latestOf: (socket: Socket) => ServerResponse | undefined,
): void => {
  // A reader that is behind, and takes nothing for so many milliseconds, is cut off.
  const longestStall = 60_000;
  // A look that comes so much later finds bytes that have come, and have not been read yet.
  const lateness = 1000;
  const connections = new Set<Socket>();
  /** The bytes of a body that had come at the last look. */
  const seen = new WeakMap<Socket, Readonly<{ response: ServerResponse; bytes: number }>>();
  /** Readers that were seen to be behind: since when, and the bytes of the connection that each had taken then at least. */
  const behind = new WeakMap<Socket, Readonly<{ since: number; taken: number }>>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const lookAtReader = (socket: Socket, now: number): void => {
    const { bytesWritten, writableLength } = socket;
    if (writableLength === 0) {
      // A reader that has caught up may wait for a slow source; between requests node:http has set a time of its own.
      if (behind.delete(socket) && latestOf(socket) !== undefined) socket.setTimeout(0);
      return;
    }
    const backlog = behind.get(socket);
    if (backlog === undefined) {
      behind.set(socket, { since: now, taken: bytesWritten - writableLength });
      // Bytes that the reader takes reset the time; node:http ends a connection that it runs out on, and sets another for the next request.
      socket.setTimeout(longestStall);
      return;
    }
    const needed = (speed * (now - backlog.since)) / 1000;
    if (bytesWritten - backlog.taken < needed) socket.destroy();
  };
  const look = (socket: Socket, isLate: boolean): void => {
    const response = latestOf(socket);
    // A body that we do not read yet, or no more, is not its sender's fault.
    if (response === undefined || response.req.complete || !response.req.readableFlowing) return;
    const before = seen.get(socket);
    const bytes = socket.bytesRead;
    seen.set(socket, { response, bytes });
    if (isLate || before?.response !== response) return;
    if (bytes - before.bytes < (speed * interval) / 1000) {
      const code = 'ERR_HTTP_REQUEST_TIMEOUT';
      server.emit('clientError', Object.assign(new Error(slowBody), { code }), socket);
    }
  };
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const isLate = now - last > interval + lateness;
    last = now;
    for (const socket of connections) {
      look(socket, isLate);
      lookAtReader(socket, now);
    }
  }, interval).unref();
  server.once('close', () => clearInterval(timer));
};
