/** Requests: as the scenarios describe them, as bytes, and asked one by one for a look at the response. */

import { sendRequest } from '../../machine/send-request';
import type { WireRequest } from './drive';

/** A request. The path starts with the service's own base. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A response as far as the scenarios look at it. */
export interface HttpResponse {
  readonly status: number;
  readonly mediaType: string;
  readonly text: string;
}

/** The address that requests go to. */
export interface Target {
  readonly port: number;
}

const withLength = ({ headers, body }: Request): Readonly<Record<string, string>> =>
  body === undefined ? headers : { ...headers, 'Content-Length': `${Buffer.byteLength(body)}` };

/** The request as it travels (RFC 9112). */
export const requestBytes = (request: Request, { port }: Target): Buffer => {
  const { method, path, body = '' } = request;
  const lines = Object.entries(withLength(request)).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join('')}`;
  return Buffer.from(`${head}\r\n${body}`);
};

/** The requests of steps, ready to be sent, each with the status that must be the response. */
export const wireRequests = (
  steps: readonly { readonly request: Request; readonly status: number }[],
  target: Target,
): WireRequest[] =>
  steps.map(({ request, status }) => ({ bytes: requestBytes(request, target), status }));

/** Sends one request on a connection of its own and reads the response. */
export const ask = async (request: Request, { port }: Target): Promise<HttpResponse> => {
  const { method, path, body } = request;
  const options = { port, method, path, headers: withLength(request), agent: false } as const;
  const response = await sendRequest(options, body, 30);
  return {
    status: response.status,
    mediaType: (response.headers['content-type'] ?? '').split(';', 1)[0] ?? '',
    text: response.body.toString(),
  };
};
