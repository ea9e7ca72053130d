/** The only code that writes an answer: status, headers, body with its length. */

import type { IncomingMessage, ServerResponse } from 'node:http';

/** An answer, ready to go. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Undefined: an answer without content. */
  readonly body: string | Uint8Array | undefined;
}

// RFC 9110 sections 15.3.5 and 15.4.5: these never have content.
const withoutContent = new Set([204, 304]);

// Answers depend on who asks, and some are secrets (RFC 6749 section 5.1): no cache keeps one unless it says so itself.
const defaultHeaders = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' };

/**
 * Sends the answer. A HEAD request gets the headers alone (RFC 9110 section 9.3.2). Does nothing once the answer has
 * begun or the connection is gone.
 */
export const send = (request: IncomingMessage, response: ServerResponse, answer: Answer): void => {
  if (response.headersSent || response.destroyed) return;
  const body = answer.body ?? '';
  const headers: Record<string, string | number | string[]> = { ...defaultHeaders };
  for (const [name, value] of Object.entries(answer.headers)) {
    headers[name] = typeof value === 'string' ? value : [...value];
  }
  if (!withoutContent.has(answer.status)) headers['Content-Length'] = Buffer.byteLength(body);
  response.writeHead(answer.status, headers);
  response.end(request.method === 'HEAD' || withoutContent.has(answer.status) ? undefined : body);
};
