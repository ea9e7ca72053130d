/** The only code that writes an answer: status, headers, body with its length where that is known. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { endInOneWrite } from './end-in-one-write';
import { pumpStream } from './pump-stream';
import { headerLines, type ResponseHeaders } from './shared-headers';
import { isTextStream, type Report, type TextStream } from './text-stream';

/** An answer, ready to go. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Undefined: an answer without content. */
  readonly body: string | Uint8Array | TextStream | undefined;
}

// RFC 9110 sections 15.3.5 and 15.4.5: these never have content.
const withoutContent = new Set([204, 304]);

const noReport: Report = () => undefined;

const hasBegun = (response: ServerResponse): boolean => response.headersSent || response.destroyed;

const hasContent = (request: IncomingMessage, { status }: HttpResponse): boolean =>
  request.method !== 'HEAD' && !withoutContent.has(status);

/** Vary adds to what the response says already (RFC 9110 section 12.5.5); any other header stands in its place. */
const addToVary = (lines: (string | string[])[], said: string | readonly string[]): void => {
  const at = lines.findIndex((line, index) => index % 2 === 0 && line === 'Vary');
  if (at < 0) return;
  lines[at + 1] = [...new Set([said, lines[at + 1] ?? []].flat())].join(', ');
};

/** @param length in bytes; undefined where it is not known, or there is no content to have one */
const writeHead = (
  response: ServerResponse,
  { status, headers }: HttpResponse,
  length: number | undefined,
): void => {
  const lines = [...headerLines(headers)];
  const vary = response.getHeader('Vary');
  if (vary !== undefined) addToVary(lines, typeof vary === 'number' ? String(vary) : vary);
  if (length !== undefined) lines.push('Content-Length', String(length));
  response.writeHead(status, lines);
};

const sendStream = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: HttpResponse,
  stream: TextStream,
  report: Report,
): void => {
  let isWanted = false;
  try {
    if (hasBegun(response)) return;
    writeHead(response, answer, undefined);
    isWanted = hasContent(request, answer);
  } finally {
    if (!isWanted) stream.end().catch(report);
  }
  if (isWanted) pumpStream(request, response, stream, report);
  else response.end();
};

/**
 * Sends the answer. A HEAD request gets the headers alone (RFC 9110 section 9.3.2). Does nothing once the answer has
 * begun or the connection is gone.
 * @param report told of the fault that cuts off a body that comes in pieces
 */
export const send = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: HttpResponse,
  report = noReport,
): void => {
  const { status, body = '' } = answer;
  if (isTextStream(body)) {
    sendStream(request, response, answer, body, report);
    return;
  }
  if (hasBegun(response)) return;
  const length = Buffer.byteLength(body);
  writeHead(response, answer, withoutContent.has(status) ? undefined : length);
  if (!hasContent(request, answer)) response.end();
  // What has as many bytes as characters is ASCII, and can be copied as it is.
  else endInOneWrite(response, body, length === body.length ? 'latin1' : 'utf8');
};
