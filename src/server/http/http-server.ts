/** An HTTP server that bounds the cost of one connection, and refuses what never becomes a request. */

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Socket } from 'node:net';
import { networkOf } from '../../http/caller';
import { continueWhenRead } from '../../http/listening';
import { isReadInPieces } from '../../http/request';
import { identify, requestIds } from '../../http/send';
import type { Config } from '../config/config';
import { maxHeaderSize, type OnRefused, refuseConnection, restTimeout } from './refuse-connection';
import { endSlowConnections, slowBody } from './slow-connections';

const latest = Symbol('the latest response');

/** A connection and the response to its latest request, until that is sent. */
interface Connection extends Socket {
  [latest]?: ServerResponse | undefined;
}

/**
 * Releases what a connection holds of a request when its response is sent: a few kilobytes, moved by each collection of garbage. It
 * closes the connection where a body is still sent that is not read.
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
 * Refuses what came after a whole request only when that has its response: the caller would take the refusal for the response, and
 * repeat the request. Where a response has begun already, none follows it.
 */
const refuseInTurn = (server: Server, onRefused: OnRefused | undefined): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Connection) => {
    const response = socket[latest];
    // The bound on the speed of bodies holds for its sender.
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && error.message !== slowBody;
    if (isLate && response !== undefined && isReadInPieces(response.req)) return;
    const refuse = (hasBegun = false) => refuseConnection(error, socket, hasBegun, onRefused);
    if (response?.req.complete) response.once('finish', () => refuse());
    else refuse(response?.headersSent);
  });
};

/** Closes a response with its connection while it waits behind another one, which node:http does not. */
const closeWithConnection = (response: ServerResponse, socket: Socket): void => {
  const close = (): void => {
    if (response.socket === null) response.emit('close');
  };
  // A connection may have any number of such responses.
  socket.setMaxListeners(0).once('close', close);
  response.once('close', () => socket.off('close', close));
};

/**
 * Makes the server close a connection at once whose peer's address, or /64 of IPv6, holds `most` already, so that a single host
 * cannot hold all that there are.
 */
const shareConnections = (server: Server, most: number): void => {
  const counts = new Map<string, number>();
  server.prependListener('connection', (socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = counts.get(network) ?? 0;
    if (count >= most) {
      socket.destroy();
      return;
    }
    counts.set(network, count + 1);
    socket.once('close', () => {
      const left = (counts.get(network) ?? 0) - 1;
      if (left > 0) counts.set(network, left);
      else counts.delete(network);
    });
  });
};

/**
 * Makes the server; it does not listen yet.
 *
 * @param listener - serves a request; it is not handed those that follow one whose response closes the connection
 * @param bounds - the bounds of the configuration
 * @param onRefused - called for each request that is refused before there is a whole head
 */
export const httpServer = (
  listener: RequestListener,
  {
    maxConnections = Number.POSITIVE_INFINITY,
    maxConnectionsPerAddress = Number.POSITIVE_INFINITY,
    leastBodySpeed = 0,
  }: Partial<Pick<Config, 'maxConnections' | 'maxConnectionsPerAddress' | 'leastBodySpeed'>> = {},
  onRefused?: OnRefused,
): Server => {
  // A sender slower than this is cut off.
  const [headersTimeout, requestTimeout] = [15_000, 60_000];
  // Longer than the usual 60 s of proxies, so that they close idle connections.
  const keepAliveTimeout = 65_000;
  const requestIdFor = requestIds();
  const take: RequestListener = (request, response) => {
    const socket: Connection = request.socket;
    if (socket.writableEnded || socket[latest]?.shouldKeepAlive === false) return;
    if (socket[latest] !== undefined) closeWithConnection(response, socket);
    socket[latest] = response;
    identify(response, requestIdFor(request.headers));
    response.on('finish', forget);
    listener(request, response);
  };
  const server = createServer(
    {
      maxHeaderSize,
      headersTimeout,
      requestTimeout,
      keepAliveTimeout,
      connectionsCheckingInterval: 5000,
      // Its absence is refused by the head check, with a sentence.
      requireHostHeader: false,
    },
    take,
  );
  server.maxConnections = maxConnections;
  shareConnections(server, maxConnectionsPerAddress);
  server.on('connection', (socket) => {
    socket.destroySoon = closeGently;
  });
  endSlowConnections(server, leastBodySpeed, (socket: Connection) => socket[latest]);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    continueWhenRead(request, response);
    take(request, response);
  });
  // The head check refuses other expectations.
  server.on('checkExpectation', take);
  refuseInTurn(server, onRefused);
  return server;
};
