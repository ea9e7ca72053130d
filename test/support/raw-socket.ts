/** Speaks to a server by bytes alone, for requests that no HTTP client would send. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** The bytes that came before the connection ended. */
export interface RawResponse {
  /** The status of each answer, in order. */
  readonly statuses: readonly number[];
  readonly text: string;
}

/** The behaviour of the client after it has sent everything. */
export interface RawOptions {
  /** Sends a FIN, and still reads. */
  readonly halfClose?: boolean;
}

const deadlineMilliseconds = 10_000;

/** Connects to the server of an origin. */
export const openSocket = (origin: string): Socket => {
  const { hostname, port } = new URL(origin);
  return connect(Number(port), hostname);
};

/** Tells whether a server takes connections at the origin. */
export const isOpen = async (origin: string): Promise<boolean> => {
  const socket = openSocket(origin);
  const open = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return open;
};

/** Reads from the socket until the text has come. */
export const readUntil = async (socket: Socket, pattern: RegExp): Promise<string> => {
  let text = '';
  while (!pattern.test(text)) {
    const [chunk] = await once(socket, 'data');
    text += String(chunk);
  }
  return text;
};

const readResponse = (chunks: readonly Buffer[]): RawResponse => {
  const text = Buffer.concat(chunks).toString('latin1');
  const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, code]) => Number(code));
  return { statuses, text };
};

/**
 * Sends the bytes and reads until the server closes; rejects where it does not within the deadline. A reset counts as a
 * close.
 */
export const sendRaw = (
  origin: string,
  bytes: string | Uint8Array,
  { halfClose = false }: RawOptions = {},
): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    const socket = openSocket(origin);
    const chunks: Buffer[] = [];
    socket.setTimeout(deadlineMilliseconds, () => {
      reject(new Error(`The server kept the connection: ${readResponse(chunks).text}`));
      socket.destroy();
    });
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(readResponse(chunks)));
    socket.write(bytes);
    if (halfClose) socket.end();
  });
