/** An HTTP server that bounds what one connection may cost, refuses what never becomes a request, and tells who sent one. */

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Socket } from 'node:net';
import proxyAddress from 'proxy-addr';
import { type ClientOf, defaultErrors, type HttpError, send } from '../../engine';
import type { Admission } from './admission';
import { headFault } from './head-check';
import { maxHeaderSize, refuseConnection, restTimeout } from './refuse-connection';
import { batchRequests } from './request-batching';
import { shareConnections } from './share-connections';
import { endSlowBodies } from './slow-bodies';

/** Makes the function that tells whether a request came over TLS, to us or to the farthest trusted proxy. */
export const overTls =
  (trustedProxies: number) =>
  ({ socket, headers }: IncomingMessage): boolean => {
    const own = 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http';
    const forwarded = trustedProxies > 0 ? headers['x-forwarded-proto'] : undefined;
    const [protocol = ''] = String(forwarded || own).split(',');
    return protocol.trim() === 'https';
  };

/**
 * As Express tells it by `trust proxy`: the address that the farthest trusted proxy names in X-Forwarded-For, and the protocol
 * that X-Forwarded-Proto names first.
 *
 * @param trustedProxies how many there are in front of the server
 */
export const clientBehind = (trustedProxies: number): ClientOf => {
  const isTrusted = (_address: string, hop: number): boolean => hop < trustedProxies;
  const isSecure = overTls(trustedProxies);
  return (request) => ({
    // A connection that has closed has no address.
    address: proxyAddress(request, isTrusted) ?? '',
    secure: isSecure(request),
  });
};

/** What a process takes of connections. */
export interface ConnectionBounds {
  /** At one time; a further one is closed. */
  readonly maxConnections: number;
  /** Of one address, or /64 of IPv6; a further one is closed. */
  readonly maxConnectionsPerAddress: number;
  /** Bytes a second that a body must come with. */
  readonly leastBodySpeed: number;
}

const unbounded: ConnectionBounds = {
  maxConnections: Number.POSITIVE_INFINITY,
  maxConnectionsPerAddress: Number.POSITIVE_INFINITY,
  leastBodySpeed: 0,
};

/** A sender slower than this is cut off. */
const headersTimeout = 15_000;
const requestTimeout = 60_000;
/** Longer than the usual 60 s of proxies, so that it is they who close idle connections. */
const keepAliveTimeout = 65_000;

const latest = Symbol('the latest response');
const isRefused = Symbol('a head was refused');

/** A connection and the response to its latest request, until that is sent. */
interface Connection extends Socket {
  [latest]?: ServerResponse | undefined;
  /** What comes behind such a head may be anything. */
  [isRefused]?: boolean;
}

/**
 * A connection that waits for its next request must not keep the last one: a few kilobytes, moved by each collection of garbage.
 * Nor may one go on sending a body that nobody reads.
 */
function forget(this: ServerResponse): void {
  const request = this.req;
  const socket = request.socket as Connection;
  if (socket[latest] === this) socket[latest] = undefined;
  if (request.complete) return;
  setTimeout(() => {
    if (!request.complete || socket.writableEnded) socket.destroy();
  }, restTimeout).unref();
}

/**
 * Closes after the last response. While the caller is still sending, the connection is closed for sending alone: closed for both
 * it would be reset, and the caller might lose the response (RFC 9112 section 9.6). `forget` does the rest.
 */
function closeGently(this: Connection): void {
  if (this[latest]?.req.complete === false) this.end();
  else Socket.prototype.destroySoon.call(this);
}

/**
 * Refuses what came after a whole request only when that has its response: the caller would take the refusal for it, and
 * repeat what was done. Where a response has begun already, none follows it.
 */
const refuseInTurn = (server: Server): void => {
  server.on('clientError', (error, socket: Connection) => {
    const response = socket[latest];
    if (response?.req.complete) response.once('finish', () => refuseConnection(error, socket));
    else refuseConnection(error, socket, response?.headersSent);
  });
};

/**
 * 100 Continue is sent when somebody begins to read the body. Who refuses the request before ends the connection, for the caller
 * may send the body or not (RFC 9110 section 10.1.1).
 */
const continueWhenRead: RequestListener = (request, response) => {
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  request.once('resume', () => {
    if (response.headersSent) return;
    response.shouldKeepAlive = shouldKeepAlive;
    response.writeContinue();
  });
};

/** Makes what answers a head that is none, and takes no more requests from its sender. */
const headRefusal = () => {
  const write = defaultErrors();
  return (request: IncomingMessage, response: ServerResponse, fault: HttpError): Promise<void> => {
    (request.socket as Connection)[isRefused] = true;
    response.shouldKeepAlive = false;
    return send(request, response, write(fault, request.headers.accept));
  };
};

/**
 * Makes the server; it does not listen yet.
 * @param bounds what the configuration says of connections
 * @param admission refuses requests when there are too many; where there is none, all are served
 * @param clock milliseconds that never run backwards
 */
export const httpServer = (
  listener: RequestListener,
  { maxConnections, maxConnectionsPerAddress, leastBodySpeed }: ConnectionBounds = unbounded,
  admission?: Admission,
  clock?: () => number,
): Server => {
  const serve = batchRequests(listener, admission, clock);
  const refuseHead = headRefusal();
  const take: RequestListener = (request, response) => {
    const socket = request.socket as Connection;
    if (socket[isRefused] || socket.writableEnded) return;
    socket[latest] = response;
    response.on('finish', forget);
    const fault = headFault(request);
    if (fault === undefined) serve(request, response);
    else void refuseHead(request, response, fault);
  };
  const server = createServer(
    {
      maxHeaderSize,
      headersTimeout,
      requestTimeout,
      keepAliveTimeout,
      connectionsCheckingInterval: 5000,
      // Its absence is refused by `headFault`, with a sentence.
      requireHostHeader: false,
    },
    take,
  );
  server.maxConnections = maxConnections;
  shareConnections(server, maxConnectionsPerAddress);
  server.on('connection', (socket) => {
    socket.destroySoon = closeGently;
  });
  endSlowBodies(server, leastBodySpeed, (socket: Connection) => socket[latest]);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    continueWhenRead(request, response);
    take(request, response);
  });
  refuseInTurn(server);
  return server;
};
