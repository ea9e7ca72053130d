/** One HTTP request over a connection of its own; target, headers and body go out exactly as they are given. */

import type { IncomingHttpHeaders } from 'node:http';
import { sendRequest } from '../../scripts/machine/send-request';

/** The parts of a request beside its method and target. */
export interface Asked {
  /** A bearer token. */
  readonly token?: string | undefined;
  /** The `api_key` header. */
  readonly key?: string | undefined;
  readonly accept?: string | undefined;
  /** Content-Type; JSON where the body is a value. */
  readonly type?: string | undefined;
  /** Text and bytes are sent as they are, any other value as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer, read to its end. */
export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The body as UTF-8. */
  readonly text: string;
}

/** Asks one server: `ask('POST /shop/item?x=1', …)`. */
export type Ask = (methodAndTarget: string, asked?: Asked) => Promise<Answered>;

/** JSON with every digit of a bigint. */
export const exactJson = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'bigint' ? `\u0000${item}` : item,
  ).replaceAll(/"\\u0000(-?\d+)"/g, '$1');

/** Reads JSON without losing a digit: integers of 16 digits and more become bigints. */
export const readExactJson = (text: string): unknown =>
  JSON.parse(
    text.replaceAll(/(?<=[:,[]\s*|^)-?\d{16,}(?=\s*[,}\]]|$)/g, '"\\u0000$&"'),
    (_, item) =>
      typeof item === 'string' && item.startsWith('\u0000') ? BigInt(item.slice(1)) : item,
  );

const isRaw = (body: unknown): body is string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array;

/** The length is said by hand, since node:http leaves it out of a GET. */
const headersOf = (
  { token, key, accept, type, body, headers }: Asked,
  content: string | Uint8Array | undefined,
): Record<string, string | number> => {
  const isChunked = headers?.['Transfer-Encoding'] !== undefined;
  const contentType = type ?? (body === undefined || isRaw(body) ? undefined : 'application/json');
  return {
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(key === undefined ? {} : { api_key: key }),
    ...(accept === undefined ? {} : { Accept: accept }),
    ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
    ...(content === undefined || isChunked ? {} : { 'Content-Length': Buffer.byteLength(content) }),
    ...headers,
  };
};

/** No server takes that long. */
const patienceSeconds = 600;

/** Asks the server at the origin; rejects where the connection ends without an answer. */
export const askAt =
  (origin: string): Ask =>
  async (methodAndTarget, asked = {}) => {
    const { hostname, port } = new URL(origin);
    const space = methodAndTarget.indexOf(' ');
    const method = methodAndTarget.slice(0, space);
    const path = methodAndTarget.slice(space + 1);
    const { body } = asked;
    const content = body === undefined || isRaw(body) ? body : exactJson(body);
    const options = { hostname, port, method, path, headers: headersOf(asked, content) };
    const answer = await sendRequest({ ...options, agent: false }, content, patienceSeconds);
    const { status, headers, body: bytes } = answer;
    return { status, headers, bytes, text: bytes.toString() };
  };
