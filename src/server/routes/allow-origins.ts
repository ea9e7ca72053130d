/** Lets pages of other origins call a service from a browser (Fetch Standard, CORS protocol), where that is configured. */

import type { IncomingMessage } from 'node:http';
import cors, { type CorsOptions } from 'cors';
import { type ApiDocument, routeTable } from '../../engine';
import { splitTarget } from '../../http/request';
import { mockHeader, requestIdHeader, requestIdOf } from '../../http/send';
import { deprecationHeaders } from '../../model/deprecation';
import { apiKeysIn } from '../../model/document';
import type { Layer } from '../http/layer';

/** Request headers of every service, beside those that its document declares. */
const readHeaders = ['Accept', 'Authorization', 'Content-Type', 'Prefer'];
/** Response headers of every service that a page could not see otherwise. */
const sentHeaders = [
  ...['Accept-Query', 'Allow', 'Location', 'Preference-Applied', 'Retry-After', 'WWW-Authenticate'],
  ...[mockHeader, requestIdHeader],
];

/** Keeps the first of each name: names of headers are case-insensitive (RFC 9110 section 5.1). */
const distinct = (names: readonly string[]): string[] => [
  ...new Map(names.toReversed().map((name) => [name.toLowerCase(), name])).values(),
];

/**
 * Makes the layer around a service. The credentials that a browser adds (cookies) are never allowed: pages of other origins send
 * tokens or keys. A request without Origin is handed on as it is.
 *
 * @param origins - as in the configuration; `*` alone is every origin
 */
export const allowOrigins = (document: ApiDocument, origins: readonly string[]): Layer => {
  if (origins.length === 0) return (next) => next;
  const { operations } = document;
  const find = routeTable(operations);
  const asked = operations.flatMap(({ parameters }) =>
    parameters.flatMap(({ name, in: place }) => (place === 'header' ? [name] : [])),
  );
  const dates = operations.flatMap((operation) => Object.keys(deprecationHeaders(operation)));
  const answered = operations.flatMap(({ responses }) =>
    responses.flatMap(({ headers }) => headers.map(({ name }) => name)),
  );
  const options: CorsOptions = {
    origin: origins[0] === '*' ? '*' : [...origins],
    allowedHeaders: distinct([...readHeaders, ...apiKeysIn('header', document), ...asked]),
    exposedHeaders: distinct([...sentHeaders, ...dates, ...answered]),
    // Seconds for which a browser may remember the response to a preflight; none remembers it longer.
    maxAge: 7200,
  };
  // Paths without an operation are files and the endpoints of a sign-in.
  const methodsAt = (path: string): string => find(path)?.allowed.Allow ?? 'GET, HEAD, POST';
  const allow = cors<IncomingMessage>((request, give) => {
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    // An OPTIONS that is no preflight is the service's to serve.
    const methods = isPreflight ? methodsAt(splitTarget(request.url ?? '/').path) : [];
    give(null, { ...options, methods, preflightContinue: !isPreflight });
  });
  return (next) => (request, response) => {
    // The options above are found without fail, and so is the origin.
    const serve = (): void => next(request, response);
    if (request.headers.origin === undefined) {
      serve();
      return;
    }
    // The package answers a preflight by itself.
    const requestId = requestIdOf(response);
    if (requestId !== undefined) response.setHeader(requestIdHeader, requestId);
    allow(request, response, serve);
  };
};
