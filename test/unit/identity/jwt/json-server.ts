/** An issuer that answers what a test gives it. */

import { createServer, type ServerResponse } from 'node:http';
import { beforeAll, beforeEach } from '@jest/globals';
import { listen } from '../../../support/listen';

/** A value to be sent as JSON, a text to be sent as it is, or what answers by itself. */
export type Answer = object | string | ((response: ServerResponse) => void);

/** One server for all tests of the file. */
export const useJsonServer = () => {
  const shared = { origin: '', asked: [] as string[], answers: {} as Record<string, Answer> };
  beforeAll(async () => {
    const server = createServer(({ url = '' }, response) => {
      shared.asked.push(url);
      const answer = shared.answers[url];
      if (typeof answer === 'function') return answer(response);
      if (answer === undefined) response.writeHead(404);
      response.end(typeof answer === 'object' ? JSON.stringify(answer) : answer);
    });
    shared.origin = await listen(server);
  });
  beforeEach(() => {
    shared.asked = [];
  });
  return shared;
};
