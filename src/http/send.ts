/** The only code that writes an answer: status, headers, body with its length where that is known. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { pumpStream } from './pump-stream';
import { isTextStream, type Report, type TextStream } from './text-stream';

/** An answer, ready to go. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Undefined: an answer without content. */
  readonly body: string | Uint8Array | TextStream | undefined;
}

// RFC 9110 sections 15.3.5 and 15.4.5: these never have content.
const withoutContent = new Set([204, 304]);

// Answers depend on who asks, and some are secrets (RFC 6749 section 5.1): no cache keeps one unless it says so itself.
const nosniff = ['X-Content-Type-Options', 'nosniff'] as const;
const noStore = ['Cache-Control', 'no-store'] as const;

const noReport: Report = () => undefined;

const hasBegun = (response: ServerResponse): boolean => response.headersSent || response.destroyed;

const hasContent = (request: IncomingMessage, { status }: Answer): boolean =>
  request.method !== 'HEAD' && !withoutContent.has(status);

/** Vary adds to what the response says already (RFC 9110 section 12.5.5); any other header stands in its place. */
const lineOf = (
  response: ServerResponse,
  name: string,
  value: string | readonly string[],
): string | string[] => {
  if (name === 'Vary') {
    return [...new Set([response.getHeader('Vary') ?? [], value].flat())].join(', ');
  }
  return typeof value === 'string' ? value : [...value];
};

/** @param length in octets; undefined where it is not known, or there is no content to have one */
const writeHead = (response: ServerResponse, answer: Answer, length: number | undefined): void => {
  const { status, headers } = answer;
  const lines: (string | string[])[] = [...nosniff];
  if (!('Cache-Control' in headers)) lines.push(...noStore);
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) lines.push(name, lineOf(response, name, value));
  }
  if (length !== undefined) lines.push('Content-Length', String(length));
  // A list of names and values goes out as it is; an object would first be made into one.
  response.writeHead(status, lines);
};

const sendStream = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
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
  answer: Answer,
  report = noReport,
): void => {
  const { status, body = '' } = answer;
  if (isTextStream(body)) {
    sendStream(request, response, answer, body, report);
    return;
  }
  if (hasBegun(response)) return;
  const length = withoutContent.has(status) ? undefined : Buffer.byteLength(body);
  writeHead(response, answer, length);
  response.end(hasContent(request, answer) ? body : undefined);
};
