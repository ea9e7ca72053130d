/** Sends responses: whole, or as a text that is made while it is sent, no faster than the caller reads it. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { hasBegun, hasContent, type ResponseHead, writeHead } from './response-head';

/**
 * A text in chunks; the last comes with `done`. `return` ends its source at once, even while a chunk is awaited; nothing is
 * asked of it any more.
 */
export interface TextStream extends AsyncIterator<string, string> {
  return(): Promise<IteratorResult<string, string>>;
}

/** Whether a body comes in chunks. */
export const isTextStream = (
  body: string | Uint8Array | TextStream | undefined,
): body is TextStream => typeof body === 'object' && !(body instanceof Uint8Array);

/** Characters; a text that ends before is sent as a whole. */
const longestBeginning = 64 * 1024;

const readBeginning = async (stream: TextStream, isHead: boolean) => {
  let text = '';
  do {
    const { done, value } = await stream.next();
    text += value;
    if (done) return { text, isWhole: true };
  } while (!isHead && text.length < longestBeginning);
  return { text, isWhole: false };
};

async function* textFrom(beginning: string, rest: TextStream): AsyncGenerator<string> {
  yield beginning;
  while (true) {
    // A source and a caller that are always ready would leave no turn to other requests.
    await setImmediate();
    const { done, value } = await rest.next();
    yield value;
    if (done) return;
  }
}

/** @returns the text, where it ended before anything was sent */
const sendWhileMade = async (
  request: IncomingMessage,
  response: ServerResponse,
  head: ResponseHead,
  stream: TextStream,
): Promise<string | undefined> => {
  const { text, isWhole } = await readBeginning(stream, request.method === 'HEAD');
  if (isWhole) return text;
  if (hasBegun(response)) return undefined;
  writeHead(response, head, undefined);
  if (!hasContent(request, head)) {
    response.end();
    return undefined;
  }
  await pipeline(textFrom(text, stream), response);
  return undefined;
};

/**
 * Sends the head behind the first 64 KiB of the text (to a HEAD request, behind the first chunk), so that a source that fails at
 * once can still be answered by an error; then the text. Ends the source as soon as the connection closes.
 *
 * @returns the text, where it is shorter than that: it is still to be sent
 * @throws what the source fails with; where the head has been sent, the connection is cut off, so that the caller does not take
 * what has come for the whole
 */
export const sendStream = async (
  request: IncomingMessage,
  response: ServerResponse,
  head: ResponseHead,
  stream: TextStream,
): Promise<string | undefined> => {
  const { socket } = request;
  let isClosed = socket.destroyed;
  let close = (): void => undefined;
  const closed = new Promise<undefined>((resolve) => {
    close = () => {
      isClosed = true;
      resolve(undefined);
    };
  });
  // Node closes no response that waits behind another. Of such responses a connection may have any number.
  socket.setMaxListeners(0).once('close', close);
  try {
    if (isClosed) return undefined;
    return await Promise.race([closed, sendWhileMade(request, response, head, stream)]);
  } catch (error) {
    if (!isClosed) throw error;
    return undefined;
  } finally {
    socket.off('close', close);
    await stream.return();
  }
};

/** A response, ready to be sent. */
export interface HttpResponse extends ResponseHead {
  /** Undefined: a response without content. */
  readonly body: string | Uint8Array | TextStream | undefined;
}

/**
 * Ends the response in one write. For its end node:http would add a text that is empty, and hand both to the kernel as a list: a
 * tenth of what a short response takes. The head must tell the length, since what is written before the end would come in chunks.
 */
const endInOneWrite = (
  response: ServerResponse,
  body: string | Uint8Array,
  encoding: 'utf8' | 'latin1',
): void => {
  const { socket } = response;
  // One that waits for the responses to earlier requests has no connection yet.
  if (!socket?.writable) {
    response.end(body, encoding);
    return;
  }
  socket.cork();
  response.write(body, encoding);
  socket.uncork();
  response.end();
};

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
  const encoding = length === body.length ? 'latin1' : 'utf8';
  if (hasContent(request, head)) endInOneWrite(response, body, encoding);
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
