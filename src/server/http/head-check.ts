/** What is wrong with the head of a request that the parser of node:http takes: version, Host, target, transfer coding (RFC 9112). */

import type { IncomingMessage } from 'node:http';
import { HttpError } from '../../engine';

const malformed = (message: string): HttpError => new HttpError(400, 'malformed-request', message);

/** An authority (RFC 3986 section 3.2) without user information; a Host field may be empty. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/** Of repeated Host fields `headers` keeps the first alone. */
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

/** Without user information, which nobody may be sent in the name of (RFC 9110 section 4.2.4). */
const ABSOLUTE = /^https?:\/\/[^/?#@\\]+(?:[/?]|$)/i;

/** RFC 9112 section 3.2: a path, an absolute URL, or for OPTIONS `*`. */
const targetFault = ({ url = '', method }: IncomingMessage) => {
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return undefined;
  return ABSOLUTE.test(url) && URL.canParse(url)
    ? undefined
    : malformed('The target of the request is neither a path nor an http URL');
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

/** The error that the head is refused with: 400, or 501 for a transfer coding; undefined where nothing is wrong. */
export const headFault = (request: IncomingMessage): HttpError | undefined => {
  if (request.httpVersionMajor !== 1) return malformed('The request is not HTTP/1.1');
  return hostFieldFault(request) ?? targetFault(request) ?? codingFault(request);
};

/** The name that a request calls the server by, in lower case, without its port; its target goes before its Host (RFC 9112 section 3.3). */
const nameCalled = ({ url = '', headers }: IncomingMessage): string =>
  url.startsWith('/') || url === '*'
    ? (headers.host ?? '').replace(/:\d*$/, '').toLowerCase()
    : new URL(url).hostname;

const otherHost = new HttpError(
  421,
  'malformed-request',
  'The server has another name than the Host of the request. Call it localhost, or set PUBLIC_URL to its public address.',
);

/**
 * Refuses a request that calls the server by a name which it has not: on the machine of its user a page of another site may have
 * made its own name lead here, to read what is served (DNS rebinding). Its head must be well-formed.
 */
export const hostFault = (
  request: IncomingMessage,
  knownHosts: ReadonlySet<string>,
): HttpError | undefined => {
  const name = nameCalled(request);
  return name === '' || knownHosts.has(name) ? undefined : otherHost;
};
