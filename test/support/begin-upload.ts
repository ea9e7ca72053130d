/** An upload that a test keeps in flight. */

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { openSocket, readUntil } from './raw-socket';

/** Begins an upload of so many bytes, and waits until the server waits for them. */
export const beginUpload = async (origin: string, token: string, size: number): Promise<Socket> => {
  const socket = openSocket(origin);
  await once(socket, 'connect');
  socket.write(
    [
      'POST /petstore/pet/1/uploadImage HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/octet-stream',
      'Expect: 100-continue',
      `Content-Length: ${size}`,
      '\r\n',
    ].join('\r\n'),
  );
  await readUntil(socket, /^HTTP\/1\.1 100 /);
  return socket;
};
