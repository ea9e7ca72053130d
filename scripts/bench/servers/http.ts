/** Responses, failures and bodies of the hand-written peer. */

import type { IncomingMessage, ServerResponse } from 'node:http';

/** A response other than success. */
export class Failure extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export const invalid = (): Failure => new Failure(405, 'Invalid input', { Allow: 'POST, PUT' });

/** Sends a text of the media type. */
export const send = (
  response: ServerResponse,
  status: number,
  mediaType: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, {
    'Content-Type': mediaType,
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
};

export const sendJson = (response: ServerResponse, text: string): void =>
  send(response, 200, 'application/json', text);

/** Sends the error as a response. */
export const sendFailure = (response: ServerResponse, error: unknown): void => {
  const { status, message, headers } =
    error instanceof Failure ? error : new Failure(500, 'Unexpected error');
  const body = { code: status, type: 'error', message };
  send(response, status, 'application/json', JSON.stringify(body), headers);
};

const longestBody = 1024 * 1024;

/** Reads the whole body as text; 413 where it is longer than a mebibyte. */
export const readBody = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > longestBody) reject(new Failure(413, 'Body too large', { Connection: 'close' }));
      else chunks.push(chunk);
    });
    request.on('end', () => {
      const [first] = chunks;
      resolve(chunks.length === 1 && first ? first.toString() : Buffer.concat(chunks).toString());
    });
    request.on('error', reject);
  });

/** Returns the media type without its parameters, in small letters. */
export const mediaTypeOf = ({ headers }: IncomingMessage): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
