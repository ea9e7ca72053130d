/** Writes raw HTTP error responses for malformed requests. */

import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { requestIdHeader } from '../../http/send';

/** Bytes of request line and headers together (RFC 6585 section 5: more is refused). */
export const maxHeaderSize = 16 * 1024;

/** Takes note of a request that was refused before a service saw it. */
export type OnRefused = (refused: {
  readonly status: number;
  readonly reason: string;
  readonly requestId: string;
  /** The peer's: what proxies say stands in headers that were not read. */
  readonly address: string | undefined;
}) => void;

const refusals: Readonly<Record<string, Readonly<Record<'status' | 'message', string>>>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    message: `The headers are larger than ${maxHeaderSize} bytes`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    message: 'The request did not arrive in time',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: '413 Content Too Large',
    message: 'The chunk extensions are too large',
  },
};

/** Milliseconds that what is left of a body, or of a connection that has been refused, may take to end. */
export const restTimeout = 2000;

/**
 * Answers what the parser of node:http refuses, and ends the connection.
 * @param hasBegun whether a response is on its way: no other may follow
 * @param onRefused receives each refusal that is sent
 */
export const refuseConnection = (
  error: NodeJS.ErrnoException,
  socket: Socket,
  hasBegun = false,
  onRefused?: OnRefused,
): void => {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  setTimeout(() => socket.destroy(), restTimeout).unref();
  if (hasBegun) {
    socket.end();
    return;
  }
  const malformed = { status: '400 Bad Request', message: 'The request is not HTTP/1.1' };
  const { status, message } = refusals[error.code ?? ''] ?? malformed;
  const code = Number(status.slice(0, 3));
  const body = JSON.stringify({ code, type: 'malformed-request', message });
  const requestId = randomUUID();
  onRefused?.({ status: code, reason: message, requestId, address: socket.remoteAddress });
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\n${requestIdHeader}: ${requestId}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
};
