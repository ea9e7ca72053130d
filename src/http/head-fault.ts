/** Finds faults of heads that the parser of node:http accepts: of version, Host, target and transfer coding (RFC 9112). */

import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error';

const malformed = (message: string): HttpError => new HttpError(400, 'malformed-request', message);

/** RFC 9112 section 3.2: one Host field, which HTTP/1.0 may leave out. */
const hostFieldFault = ({ headers, rawHeaders, httpVersion }: IncomingMessage) => {
  // An authority (RFC 3986 section 3.2) without user information; a Host field may be empty.
  const authority = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;
  // Of repeated fields `headers` keeps the first alone.
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  if (count > 1) return malformed('The request has more than one Host');
  if (count === 0) return httpVersion === '1.0' ? undefined : malformed('The request has no Host');
  return authority.test(headers.host ?? '') ? undefined : malformed('The Host header is invalid');
};

/** RFC 9112 section 3.2: a path, an absolute URL, or for OPTIONS `*`. */
const targetFault = ({ url = '', method }: IncomingMessage) => {
  // An http URL without user information, which is not to be trusted (RFC 9110 section 4.2.4).
  const absolute = /^https?:\/\/[^/?#@\\]+(?:[/?]|$)/i;
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return undefined;
  return absolute.test(url) && URL.canParse(url)
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
export const headFault = (request: IncomingMessage): HttpError | undefined => {
  if (request.httpVersionMajor !== 1) return malformed('The request is not HTTP/1.1');
  return hostFieldFault(request) ?? targetFault(request) ?? codingFault(request);
};
