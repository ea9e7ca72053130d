/** An issuer that answers what a test gives it. */

import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';

/** A value to be sent as JSON, a text to be sent as it is, or what answers by itself. */
export type Answer = object | string | ((response: ServerResponse) => void);

/** One server for all tests of the file. */
export const useJsonServer = () => {
  let server: Server;
  const shared = { origin: '', asked: [] as string[], answers: {} as Record<string, Answer> };
  beforeAll(async () => {
    server = createServer(({ url = '' }, response) => {
      shared.asked.push(url);
      const answer = shared.answers[url];
      if (typeof answer === 'function') return answer(response);
      if (answer === undefined) response.writeHead(404);
      response.end(typeof answer === 'object' ? JSON.stringify(answer) : answer);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    shared.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    shared.asked = [];
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return shared;
};
