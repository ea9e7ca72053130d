/** Writes the status and the headers of a response. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { headerLines, type ResponseHeaders } from './shared-headers';

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

/** @param length of the body in bytes; undefined where it is not known */
export const writeHead = (
  response: ServerResponse,
  { status, headers }: ResponseHead,
  length: number | undefined,
): void => {
  const lines = [...headerLines(headers)];
  const vary = response.getHeader('Vary');
  if (vary !== undefined) addToVary(lines, typeof vary === 'number' ? String(vary) : vary);
  if (length !== undefined && !withoutContent.has(status)) {
    lines.push('Content-Length', String(length));
  }
  response.writeHead(status, lines);
};
