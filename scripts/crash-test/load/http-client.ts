/** Sends requests, and tells how far a request came that got no response. */

import { Agent, type IncomingMessage, request } from 'node:http';

/** A request. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The value that is sent as JSON. */
  readonly json?: unknown;
}

/** A whole response. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/**
 * - `unsent`: no server took the connection; - `broken`: the connection ended before the whole response was there;
 * - `silent`: the connection stands, and no response came in time.
 */
export type Failure = 'unsent' | 'broken' | 'silent';

/** Sends requests one at a time. */
export interface HttpClient {
  send(request: HttpRequest): Promise<HttpResponse | Failure>;
  close(): void;
}

/** Longer than anything that the server itself waits for. */
const timeoutMilliseconds = 40_000;

const readAll = async (message: IncomingMessage): Promise<HttpResponse> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return { status: message.statusCode ?? 0, headers: message.headers, body: Buffer.concat(chunks) };
};

const failureOf = (error: unknown): Failure => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ECONNREFUSED' ? 'unsent' : 'broken';
};

/** Opens connections to the server at the port, as many as there are requests at a time. */
export const openHttpClient = (port: number): HttpClient => {
  const agent = new Agent({ keepAlive: true });
  return {
    send: ({ method, path, headers: given = {}, json }) =>
      new Promise((resolve) => {
        const type = { 'content-type': 'application/json' };
        const headers = json === undefined ? given : { ...given, ...type };
        const sent = request({ agent, host: '127.0.0.1', port, method, path, headers });
        const silent = setTimeout(() => {
          resolve('silent');
          sent.destroy();
        }, timeoutMilliseconds);
        const end = (result: HttpResponse | Failure): void => {
          clearTimeout(silent);
          resolve(result);
        };
        sent.on('error', (error) => end(failureOf(error)));
        sent.on('response', (message) => readAll(message).then(end, () => end('broken')));
        sent.end(JSON.stringify(json));
      }),
    close: () => agent.destroy(),
  };
};
