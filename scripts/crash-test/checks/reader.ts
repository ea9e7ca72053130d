/** Reads over HTTP what is stored. */

import { setTimeout } from 'node:timers/promises';
import type { Fields } from '../history/views';
import type { HttpClient, HttpRequest, HttpResponse } from '../load/http-client';

/** Reads from a server that is up. */
export interface Reader {
  /** Returns the JSON of a response of 200; undefined for 404. */
  read(path: string): Promise<Fields | undefined>;
  list(path: string): Promise<Fields[]>;
  /** Tells whether the token would be admitted. */
  isLive(token: string): Promise<boolean>;
}

const attempts = 200;
const pauseMilliseconds = 100;

/** Makes the reader; `authorization` is that of a token that may read pets. */
export const openReader = (http: HttpClient, authorization: string): Reader => {
  /** Repeats a request: the last fault may have broken connections, and a worker may still be starting. */
  const responseTo = async (request: HttpRequest, attempt = 1): Promise<HttpResponse> => {
    const response = await http.send(request);
    if (typeof response !== 'string' && response.status !== 503) return response;
    if (attempt < attempts) {
      await setTimeout(pauseMilliseconds);
      return responseTo(request, attempt + 1);
    }
    const what = typeof response === 'string' ? response : `status ${response.status}`;
    throw new Error(`${request.method} ${request.path} is still ${what}`);
  };

  const read = async (path: string): Promise<Fields | undefined> => {
    const headers = path.includes('/findBy') ? { authorization } : { api_key: 'special-key' };
    const { status, body } = await responseTo({ method: 'GET', path, headers });
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`GET ${path} got the response ${status} ${body}`);
    return JSON.parse(body.toString()) as Fields;
  };

  return {
    read,
    async list(path) {
      const pets = await read(path);
      return Array.isArray(pets) ? pets : [];
    },

    // An empty list of users is refused, after the login was checked.
    async isLive(token) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const path = '/petstore/user/createWithList';
      const { status } = await responseTo({ method: 'POST', path, headers, body: '[]' });
      return status !== 401;
    },
  };
};

/** Does the work for each value, several at a time; the results are in the order of the values. */
export const mapConcurrently = async <Value, Result>(
  values: readonly Value[],
  work: (value: Value) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  const pending = values.entries();
  const takeTurns = async (): Promise<void> => {
    for (const [at, value] of pending) results[at] = await work(value);
  };
  await Promise.all(Array.from({ length: 16 }, takeTurns));
  return results;
};
