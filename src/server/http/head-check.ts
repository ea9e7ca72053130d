/**
 * Refuses requests by their heads, where the parser of node:http accepts them: by version, Host, target and transfer coding (RFC 9112),
 * by expectation, and by the name of another host.
 */

import type { IncomingMessage } from 'node:http';
import { defaultErrors } from '../../engine';
import { HttpError } from '../../http/http-error';
import { headFault } from '../../http/request';
import { requestIdOf, send } from '../../http/send';
import type { Layer } from './layer';
import type { OnRefused } from './refuse-connection';

/**
 * Finds that a request names another host: a page of another site may have made its own name lead to the machine of its reader, to
 * read the responses (DNS rebinding). Its head must be well-formed.
 */
const hostFault = (
  { url = '', headers }: IncomingMessage,
  knownHosts: ReadonlySet<string> | undefined,
) => {
  if (knownHosts === undefined) return undefined;
  // That of its target goes before its Host (RFC 9112 section 3.3).
  const name =
    url.startsWith('/') || url === '*'
      ? (headers.host ?? '').replace(/:\d*$/, '').toLowerCase()
      : new URL(url).hostname;
  if (name === '' || knownHosts.has(name)) return undefined;
  const advice = 'Use localhost, or set PUBLIC_URL to its public address.';
  const message = `The Host header does not name this server. ${advice}`;
  return new HttpError(421, 'malformed-request', message);
};

/** Finds an expectation other than 100-continue; as node:http does, it takes that in any list. */
const expectationFault = ({ headers: { expect } }: IncomingMessage): HttpError | undefined =>
  expect === undefined || /(?:^|\W)100-continue(?:$|\W)/i.test(expect)
    ? undefined
    : new HttpError(417, 'malformed-request', 'The Expect header must be 100-continue');

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
