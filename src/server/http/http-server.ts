/** An HTTP server that bounds what one connection may cost, refuses what never becomes a request, and tells who sent one. */

import { randomBytes } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Socket } from 'node:net';
import proxyAddress from 'proxy-addr';
import { type ClientOf, defaultErrors, HttpError, identify, requestIdOf, send } from '../../engine';
import type { Admission } from './admission';
import { headFault, hostFault } from './head-check';
import {
  maxHeaderSize,
  type RefusedRequest,
  refuseConnection,
  restTimeout,
} from './refuse-connection';
import { batchRequests } from './request-batching';
import { shareConnections } from './share-connections';
import { endSlowConnections } from './slow-connections';

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
  /** Bytes a second that a body must come with, and that a response must be read with. */
  readonly leastBodySpeed: number;
  /** Names, in lower case, that a Host may have; undefined: any. */
  readonly knownHosts?: ReadonlySet<string> | undefined;
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

/** Told of each request that is refused before a service sees it. */
export type OnRefused = (refused: RefusedRequest) => void;

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
const refuseInTurn = (server: Server, onRefused: OnRefused | undefined): void => {
  server.on('clientError', (error, socket: Connection) => {
    const response = socket[latest];
    const refuse = (hasBegun = false) => refuseConnection(error, socket, hasBegun, onRefused);
    if (response?.req.complete) response.once('finish', () => refuse());
    else refuse(response?.headersSent);
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

/** An id that is safe in a header, a log and a shell. */
const saneId = /^[\w.~:/+=@-]{1,128}$/;

/** Makes the function that gives the id that the caller, or a proxy, has given a request, or a new one: cheaper than a UUID for each. */
const requestIds = (): ((request: IncomingMessage) => string) => {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return ({ headers }) => {
    const given = headers['x-request-id'];
    if (typeof given === 'string' && saneId.test(given)) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
};

const unmetExpectation = new HttpError(
  417,
  'malformed-request',
  'The server meets no expectation but 100-continue',
);

/** Makes the function that answers a malformed head, and takes no more requests from its sender. */
const headRefusal = (onRefused: OnRefused | undefined) => {
  const write = defaultErrors();
  return (request: IncomingMessage, response: ServerResponse, fault: HttpError): Promise<void> => {
    const { status, message: reason } = fault;
    const requestId = requestIdOf(response) ?? '';
    onRefused?.({ status, reason, requestId, address: request.socket.remoteAddress });
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
  bounds: ConnectionBounds = unbounded,
  admission?: Admission,
  clock?: () => number,
  onRefused?: OnRefused,
): Server => {
  const serve = batchRequests(listener, admission, clock);
  const requestIdFor = requestIds();
  const refuseHead = headRefusal(onRefused);
  const { maxConnections, maxConnectionsPerAddress, leastBodySpeed, knownHosts } = bounds;
  const faultOf = (request: IncomingMessage): HttpError | undefined =>
    headFault(request) ?? (knownHosts && hostFault(request, knownHosts));
  /** Serves a request, or refuses it where its head is malformed, or else with the fault. */
  const takeOr = (request: IncomingMessage, response: ServerResponse, other?: HttpError): void => {
    const socket = request.socket as Connection;
    if (socket[isRefused] || socket.writableEnded) return;
    socket[latest] = response;
    identify(response, requestIdFor(request));
    response.on('finish', forget);
    const fault = faultOf(request) ?? other;
    if (fault === undefined) serve(request, response);
    else void refuseHead(request, response, fault);
  };
  const take: RequestListener = (request, response) => takeOr(request, response);
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
  endSlowConnections(server, leastBodySpeed, (socket: Connection) => socket[latest]);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    continueWhenRead(request, response);
    take(request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    takeOr(request, response, unmetExpectation),
  );
  refuseInTurn(server, onRefused);
  return server;
};
