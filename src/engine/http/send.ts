/** The only code that sends a response: status, headers, body with its length where that is known. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBegun, hasContent, type ResponseHead, writeHead } from './response-head';
import { sendStream } from './send-stream';
import { isTextStream, type TextStream } from './text-stream';

/** A response, ready to be sent. */
export interface HttpResponse extends ResponseHead {
  /** Undefined: a response without content. */
  readonly body: string | Uint8Array | TextStream | undefined;
}

const sendWhole = (
  request: IncomingMessage,
  response: ServerResponse,
  head: ResponseHead,
  body: string | Uint8Array,
): void => {
  if (hasBegun(response)) return;
  const length = Buffer.byteLength(body);
  writeHead(response, head, length);
  // What has as many bytes as characters is ASCII, and can be copied as it is.
  if (hasContent(request, head)) response.end(body, length === body.length ? 'latin1' : 'utf8');
  else response.end();
};

/**
 * Sends the response. A HEAD request gets the headers alone (RFC 9110 section 9.3.2). Does nothing once the response has
 * begun or the connection is closed. A body that comes in chunks is waited for, and may be rejected by: see `sendStream`.
 */
export const send = async (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body = '' }: HttpResponse,
): Promise<void> => {
  const head = { status, headers };
  const whole = isTextStream(body) ? await sendStream(request, response, head, body) : body;
  if (whole !== undefined) sendWhole(request, response, head, whole);
};
