/** Sends a request over HTTP, and reads the whole response. */

import { once } from 'node:events';
import { type IncomingHttpHeaders, IncomingMessage, type RequestOptions, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface WholeResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends it, to this machine unless it is said otherwise. Rejects with an AbortError where the whole response is not there in that many seconds. */
export const sendRequest = async (
  options: RequestOptions,
  content: string | Uint8Array | undefined,
  seconds: number,
): Promise<WholeResponse> => {
  const signal = AbortSignal.timeout(seconds * 1000);
  const sent = request({ hostname: '127.0.0.1', ...options, signal });
  // After the head of the response, the response itself reports failures.
  sent.on('error', () => undefined);
  sent.end(content);
  const [message]: unknown[] = await once(sent, 'response');
  if (!(message instanceof IncomingMessage)) throw new Error('No response');
  const { statusCode: status = 0, headers } = message;
  return { status, headers, body: await buffer(message) };
};
