/** The orderly end of a server: no request is lost that came in time, and no connection is waited for without end. */

import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { drain, listen } from '../../../src/http/listening';

const agents: Agent[] = [];
afterEach(() => {
  for (const agent of agents.splice(0)) agent.destroy();
});

const start = async (listener: RequestListener) => {
  const server = createServer(listener);
  return { server, origin: await listen(server, 0, '127.0.0.1') };
};

/** Makes a client of one connection; it resolves to the header Connection of the response. */
const clientOf = (origin: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return (): Promise<string | undefined> =>
    new Promise((resolve, reject) => {
      const answered = (response: IncomingMessage): void => {
        response.resume().once('end', () => resolve(response.headers.connection));
      };
      get(origin, { agent }, answered).once('error', reject);
    });
};

test('clients that ask one request after the other lose none, and are told the last one', async () => {
  const { server, origin } = await start((_, response) => response.end());
  const clients = Array.from({ length: 16 }, () => clientOf(origin));
  await Promise.all(clients.map((ask) => ask()));
  const untilLast = async (ask: () => Promise<string | undefined>): Promise<void> => {
    while ((await ask()) !== 'close');
  };
  const asking = clients.map(untilLast);
  await Promise.all([drain(server, 60), ...asking]);
  await expect(clientOf(origin)()).rejects.toThrow('ECONNREFUSED');
});

test('a request under way gets its response, and idle connections are closed', async () => {
  let finish = (): void => undefined;
  const { server, origin } = await start((request, response) => {
    if (request.url === '/slow') finish = () => response.end('done');
    else response.end();
  });
  await clientOf(origin)();
  const slow = clientOf(`${origin}/slow`)();
  await once(server, 'request');
  const drained = drain(server, 60);
  finish();
  expect(await slow).toBe('keep-alive');
  await drained;
});

test.each([
  ['a response that does not end', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a request that does not end', 'GET / HTTP/1.1\r\n'],
])('%s is cut off after the time that was given', async (_, text) => {
  const { server, origin } = await start(() => undefined);
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.on('error', () => undefined).write(text);
  await once(server, 'connection');
  await drain(server, 0.1);
  await once(socket, 'close');
});
