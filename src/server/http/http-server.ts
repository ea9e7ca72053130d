/** An HTTP server that bounds what one connection may cost, refuses what never becomes a request, and tells who sent one. */

import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import proxyAddress from 'proxy-addr';
import type { ClientOf } from '../../engine';
import { batchRequests } from './request-batching';

/**
 * As Express tells it by `trust proxy`: the address that the farthest trusted proxy names in X-Forwarded-For, and the protocol
 * that X-Forwarded-Proto names first.
 *
 * @param trustedProxies how many there are in front of the server
 */
export const clientBehind = (trustedProxies: number): ClientOf => {
  const isTrusted = (_address: string, hop: number): boolean => hop < trustedProxies;
  return (request) => {
    const { socket, headers } = request;
    const own = 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http';
    const forwarded = trustedProxies > 0 ? headers['x-forwarded-proto'] : undefined;
    const [protocol = ''] = String(forwarded || own).split(',');
    // A connection that has closed has no address.
    return { address: proxyAddress(request, isTrusted) ?? '', secure: protocol.trim() === 'https' };
  };
};

/** Bytes of request line and headers together (RFC 6585 section 5: more is refused). */
const maxHeaderSize = 16 * 1024;
/** A sender slower than this is cut off. */
const headersTimeout = 15_000;
const requestTimeout = 60_000;
/** Longer than the usual 60 s of proxies, so that it is they who close idle connections. */
const keepAliveTimeout = 65_000;

interface Refusal {
  readonly status: string;
  readonly message: string;
}

const malformed: Refusal = { status: '400 Bad Request', message: 'The request is not HTTP/1.1' };

const refusals: Readonly<Record<string, Refusal>> = {
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

const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, message } = refusals[error.code ?? ''] ?? malformed;
  const body = JSON.stringify({
    code: Number(status.slice(0, 3)),
    type: 'malformed-request',
    message,
  });
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
};

const latest = Symbol('the latest response');

/** A connection and the response to its latest request, until that is sent. */
interface Connection extends Duplex {
  [latest]?: ServerResponse | undefined;
}

/** A connection that waits for its next request must not keep the last one: a few kilobytes, moved by each collection of garbage. */
function forget(this: ServerResponse): void {
  const socket = this.req.socket as Connection;
  if (socket[latest] === this) socket[latest] = undefined;
}

/**
 * Refuses what came after a whole request only when that has its response: the caller would take the refusal for it, and
 * repeat what was done.
 */
const refuseInTurn = (server: Server): void => {
  server.on('clientError', (error, socket: Connection) => {
    const response = socket[latest];
    if (response?.req.complete) response.once('finish', () => refuse(error, socket));
    else refuse(error, socket);
  });
};

/** Makes the server; it does not listen yet. */
export const httpServer = (listener: RequestListener): Server => {
  const serve = batchRequests(listener);
  const server = createServer(
    {
      maxHeaderSize,
      headersTimeout,
      requestTimeout,
      keepAliveTimeout,
      connectionsCheckingInterval: 5000,
    },
    (request, response) => {
      (request.socket as Connection)[latest] = response;
      response.on('finish', forget);
      serve(request, response);
    },
  );
  refuseInTurn(server);
  return server;
};
