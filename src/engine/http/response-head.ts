/** The status and the headers of a response, and how they are written. */

import type { IncomingMessage, ServerResponse } from 'node:http';

/** By their names; a list is sent as repeated fields. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

// Responses depend on who asks, and some are secrets (RFC 6749 section 5.1): no cache stores one unless it says so itself.
const nosniff = ['X-Content-Type-Options', 'nosniff'] as const;
const noStore = ['Cache-Control', 'no-store'] as const;

/** A list of names and values goes out as it is; of an object node:http would first make one. */
type HeaderLines = readonly (string | string[])[];

const linesOf = (headers: ResponseHeaders): HeaderLines => {
  const lines: (string | string[])[] = [...nosniff];
  if (!('Cache-Control' in headers)) lines.push(...noStore);
  for (const [name, value] of Object.entries(headers)) {
    lines.push(name, typeof value === 'string' ? value : [...value]);
  }
  return lines;
};

const sharedLines = new WeakMap<ResponseHeaders, HeaderLines>();

/** Makes headers that many responses have: the same object each time, so that what becomes of it is worked out once. */
export const sharedHeaders = <Headers extends ResponseHeaders>(
  headers: Headers,
): Readonly<Headers> => {
  const shared = Object.freeze({ ...headers });
  sharedLines.set(shared, linesOf(shared));
  return shared;
};

/** Whether `sharedHeaders` made the object. */
export const isShared = (headers: object): boolean => sharedLines.has(headers as ResponseHeaders);

/** The lines of a response's headers, and of those that every response has. */
const headerLines = (headers: ResponseHeaders): HeaderLines =>
  sharedLines.get(headers) ?? linesOf(headers);

/** A response without its body. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
}

// RFC 9110 sections 15.3.5 and 15.4.5: these never have content.
const withoutContent = new Set([204, 304]);

/** Whether a body follows the head; none follows the one that answers HEAD (RFC 9110 section 9.3.2). */
export const hasContent = (request: IncomingMessage, { status }: ResponseHead): boolean =>
  request.method !== 'HEAD' && !withoutContent.has(status);

/** Whether it is too late for another head. */
export const hasBegun = (response: ServerResponse): boolean =>
  response.headersSent || response.destroyed;

/** Vary adds to what the response says already (RFC 9110 section 12.5.5); any other header stands in its place. */
const addToVary = (lines: (string | string[])[], said: string | readonly string[]): void => {
  const at = lines.findIndex((line, index) => index % 2 === 0 && line === 'Vary');
  if (at < 0) return;
  lines[at + 1] = [...new Set([said, lines[at + 1] ?? []].flat())].join(', ');
};

/** The header that names a request, to its caller and in logs. */
export const requestIdHeader = 'X-Request-Id';

const requestId = Symbol('the id of the request');

/** A response with the id of its request. To remember that in a WeakMap costs each collection of garbage. */
interface IdentifiedResponse extends ServerResponse {
  [requestId]?: string;
}

/** Names the request in the logs, and in the header X-Request-Id of its response. */
export const identify = (response: IdentifiedResponse, id: string): void => {
  response[requestId] = id;
};

/** Gives the id of a request; undefined where it has none. */
export const requestIdOf = (response: IdentifiedResponse): string | undefined =>
  response[requestId];

/** Adds the id of the request, where the response does not say another by itself. */
const addRequestId = (lines: (string | string[])[], id: string | undefined): void => {
  if (id === undefined) return;
  const isSaid = lines.some(
    (name, index) =>
      index % 2 === 0 &&
      name.length === requestIdHeader.length &&
      String(name).toLowerCase() === requestIdHeader.toLowerCase(),
  );
  if (!isSaid) lines.push(requestIdHeader, id);
};

/** @param length of the body in bytes; undefined where it is not known */
export const writeHead = (
  response: ServerResponse,
  { status, headers }: ResponseHead,
  length: number | undefined,
): void => {
  const lines = [...headerLines(headers)];
  const vary = response.getHeader('Vary');
  if (vary !== undefined) addToVary(lines, typeof vary === 'number' ? String(vary) : vary);
  addRequestId(lines, requestIdOf(response));
  if (length !== undefined && !withoutContent.has(status)) {
    lines.push('Content-Length', String(length));
  }
  response.writeHead(status, lines);
};
