/** Sends requests, and tells how far a request came that got no response. */

import { Agent } from 'node:http';
import { sendRequest, type WholeResponse } from '../../machine/send-request';

/** A request. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** The token that authorizes it. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The value that is sent as JSON. */
  readonly json?: unknown;
}

/**
 * - `unsent`: no server took the connection; - `broken`: the connection ended before the whole response was there;
 * - `silent`: the connection stands, and no response came in time.
 */
export type Failure = 'unsent' | 'broken' | 'silent';

/** Sends requests one at a time. */
export interface HttpClient {
  send(request: HttpRequest): Promise<WholeResponse | Failure>;
  close(): void;
}

/** Longer than anything that the server itself waits for. */
const patienceSeconds = 40;

const failureOf = (error: unknown): Failure => {
  if (error instanceof Error && error.name === 'AbortError') return 'silent';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ECONNREFUSED' ? 'unsent' : 'broken';
};

/** Opens connections to the server at the port, as many as there are requests at a time. */
export const openHttpClient = (port: number): HttpClient => {
  const agent = new Agent({ keepAlive: true });
  return {
    send({ method, path, token, headers: given = {}, json }) {
      const headers = {
        ...given,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      };
      const content = json === undefined ? undefined : JSON.stringify(json);
      const options = { agent, port, method, path, headers };
      return sendRequest(options, content, patienceSeconds).catch(failureOf);
    },
    close: () => agent.destroy(),
  };
};
