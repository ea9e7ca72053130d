/**
 * Refuses requests by their heads, where the parser of node:http accepts them: by version, Host, target and transfer coding (RFC 9112),
 * by expectation, and by the name of another host.
 */

import type { IncomingMessage } from 'node:http';
import { defaultErrors } from '../../engine';
import { HttpError } from '../../http/http-error';
import { requestIdOf, send } from '../../http/send';
import type { Layer } from './layer';
import type { OnRefused } from './refuse-connection';

const malformed = (message: string): HttpError => new HttpError(400, 'malformed-request', message);

/** An authority (RFC 3986 section 3.2) without user information; a Host field may be empty. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/** Counts Host fields: of repeated ones `headers` keeps the first alone. */
const countHosts = (rawHeaders: readonly string[]): number => {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
};

/** RFC 9112 section 3.2: one Host field, which HTTP/1.0 may leave out. */
const hostFieldFault = ({ headers, rawHeaders, httpVersion }: IncomingMessage) => {
  const count = countHosts(rawHeaders);
  if (count > 1) return malformed('The request has more than one Host');
  if (count === 0) return httpVersion === '1.0' ? undefined : malformed('The request has no Host');
  return HOST.test(headers.host ?? '') ? undefined : malformed('The Host header is invalid');
};

/** An http URL without user information, which is not to be trusted (RFC 9110 section 4.2.4). */
const ABSOLUTE = /^https?:\/\/[^/?#@\\]+(?:[/?]|$)/i;

/** RFC 9112 section 3.2: a path, an absolute URL, or for OPTIONS `*`. */
const targetFault = ({ url = '', method }: IncomingMessage) => {
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return undefined;
  return ABSOLUTE.test(url) && URL.canParse(url)
    ? undefined
    : malformed('The request target must be a path or an http URL');
};

/** RFC 9112 section 6.1: a body in another coding would be taken for what it is not; HTTP/1.0 has no codings. */
const codingFault = ({ headers, httpVersion }: IncomingMessage) => {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  if (httpVersion === '1.0') return malformed('HTTP/1.0 has no Transfer-Encoding');
  return coding.trim().toLowerCase() === 'chunked'
    ? undefined
    : new HttpError(501, 'not-implemented', 'The Transfer-Encoding must be chunked');
};

/** Finds what is wrong with a head: 400, or 501 for a transfer coding. */
const headFault = (request: IncomingMessage): HttpError | undefined => {
  if (request.httpVersionMajor !== 1) return malformed('The request is not HTTP/1.1');
  return hostFieldFault(request) ?? targetFault(request) ?? codingFault(request);
};

/** Gives the host of a request, in lower case, without its port: that of its target before its Host (RFC 9112 section 3.3). */
const hostOf = ({ url = '', headers }: IncomingMessage): string =>
  url.startsWith('/') || url === '*'
    ? (headers.host ?? '').replace(/:\d*$/, '').toLowerCase()
    : new URL(url).hostname;

const otherHost = new HttpError(
  421,
  'malformed-request',
  'The Host header does not name this server. Use localhost, or set PUBLIC_URL to its public address.',
);

/**
 * Finds that a request names another host: a page of another site may have made its own name lead to the machine of its reader, to
 * read the responses (DNS rebinding). Its head must be well-formed.
 */
const hostFault = (
  request: IncomingMessage,
  knownHosts: ReadonlySet<string> | undefined,
): HttpError | undefined => {
  if (knownHosts === undefined) return undefined;
  const name = hostOf(request);
  return name === '' || knownHosts.has(name) ? undefined : otherHost;
};

const unmetExpectation = new HttpError(
  417,
  'malformed-request',
  'The Expect header must be 100-continue',
);

/** Finds an expectation other than 100-continue; as node:http does, it takes that in any list. */
const expectationFault = ({ headers: { expect } }: IncomingMessage): HttpError | undefined =>
  expect === undefined || /(?:^|\W)100-continue(?:$|\W)/i.test(expect)
    ? undefined
    : unmetExpectation;

/**
 * Makes the layer that answers requests with a bad head, and ends their connections: what follows such a head may be anything.
 *
 * @param knownHosts - the names, in lower case, that a Host may have; any where this is not given
 * @param onRefused - called for each request that is refused
 */
export const headCheck = (knownHosts?: ReadonlySet<string>, onRefused?: OnRefused): Layer => {
  const writeError = defaultErrors();
  return (next) => (request, response) => {
    const fault = headFault(request) ?? hostFault(request, knownHosts) ?? expectationFault(request);
    if (fault === undefined) {
      next(request, response);
      return;
    }
    const { status, message: reason } = fault;
    const requestId = requestIdOf(response) ?? '';
    onRefused?.({ status, reason, requestId, address: request.socket.remoteAddress });
    response.shouldKeepAlive = false;
    void send(request, response, writeError(fault, request.headers.accept));
  };
};
