/** Who answers what: the handlers in turn, the application behind them, or the last door. */

import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import request from 'supertest';
import { expressMessages } from '../../../../src/server/http/express-messages';
import { inFront } from '../../../../src/server/http/in-front';

const passes: RequestHandler = (_request, response, next) => {
  response.setHeader('Passed', 'yes');
  next();
};

const answers: RequestHandler = (incoming, response, next) => {
  if (incoming.url === '/own') response.end(`handler, ${incoming.fresh ? 'fresh' : 'stale'}`);
  else next();
};

const fails: RequestHandler = (incoming, _response, next) => {
  if (incoming.url === '/throws') throw new Error('thrown');
  next(incoming.url === '/hands-on' ? new Error('handed on') : undefined);
};

const listening = () => {
  const app = express();
  app.get('/app', (incoming, response) => {
    response.send(`app for ${incoming.ip?.replace('::ffff:', '')}`);
  });
  app.use((_request, response) => {
    response.status(404).end('nobody');
  });
  const listener = inFront(app, [passes, answers, fails], (error, _request, response) => {
    response.status(500).end(`door: ${(error as Error).message}`);
  });
  return createServer(expressMessages(app), listener);
};

test.each([
  ['/own', 200, 'handler, stale'],
  ['/app', 200, 'app for 127.0.0.1'],
  ['/else', 404, 'nobody'],
  ['/throws', 500, 'door: thrown'],
  ['/hands-on', 500, 'door: handed on'],
])('%s is answered %i by %s', async (path, status, text) => {
  const answer = await request(listening()).get(path);
  expect(answer.headers['passed']).toBe('yes');
  expect([answer.status, answer.text]).toStrictEqual([status, text]);
});
