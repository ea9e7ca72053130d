/** Reads over HTTP what is stored. */

import { setTimeout } from 'node:timers/promises';
import type { WholeResponse } from '../../machine/send-request';
import type { Fields } from '../history/views';
import type { HttpClient, HttpRequest } from '../load/http-client';

const attempts = 200;
const pauseMilliseconds = 100;

/** Makes what reads from a server that is up; `token` may read pets. */
export const openReader = (http: HttpClient, token: string) => {
  /** Repeats a request: the last fault may have broken connections, and a worker may still be starting. */
  const responseTo = async (request: HttpRequest, attempt = 1): Promise<WholeResponse> => {
    const response = await http.send(request);
    if (typeof response !== 'string' && response.status !== 503) return response;
    if (attempt < attempts) {
      await setTimeout(pauseMilliseconds);
      return responseTo(request, attempt + 1);
    }
    const what = typeof response === 'string' ? response : `status ${response.status}`;
    throw new Error(`${request.method} ${request.path} is still ${what}`);
  };

  /** Returns the JSON of a response of 200; undefined for 404. */
  const read = async (path: string): Promise<Fields | undefined> => {
    const credential = path.includes('/findBy')
      ? { token }
      : { headers: { api_key: 'special-key' } };
    const { status, body } = await responseTo({ method: 'GET', path, ...credential });
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`GET ${path} got the response ${status} ${body}`);
    return JSON.parse(body.toString()) as Fields;
  };

  return {
    read,
    async list(path: string): Promise<Fields[]> {
      const pets = await read(path);
      return Array.isArray(pets) ? pets : [];
    },

    /** Tells whether the token would be admitted: an empty list of users is refused, after the login was checked. */
    async isLive(login: string): Promise<boolean> {
      const path = '/petstore/user/createWithList';
      const { status } = await responseTo({ method: 'POST', path, token: login, json: [] });
      return status !== 401;
    },
  };
};
