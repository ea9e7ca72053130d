/** The orderly end of a server: no request is lost that came in time, and no connection is waited for without end. */

import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
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

const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

/** Writes the request at once, so that the system has it for the server; resolves to the response, and all that follows it. */
const ask = async (socket: Socket): Promise<string> => {
  socket.write(request);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
};

/** Holds all up, as a busy machine does, for longer than idle connections have. */
const holdUp = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
};

test('a request that came while the process was held up gets its response', async () => {
  const { server, origin } = await start((_, response) => response.end());
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.write(request);
  await once(socket, 'data');
  const drained = drain(server, 60);
  await setImmediate();
  await setImmediate();
  await setImmediate();
  const answer = ask(socket);
  holdUp();
  expect(await answer).toMatch(/^HTTP\/1.1 200 OK\r\n(?:.*\r\n)*Connection: close\r\n/);
  await drained;
});

test('a connection that the system took before the end is served', async () => {
  const { server, origin } = await start((_, response) => response.end());
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  // It is connected in the next tick.
  await new Promise(process.nextTick);
  const [answer] = await Promise.all([ask(socket), drain(server, 60)]);
  expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n(?:.*\r\n)*Connection: close\r\n/);
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
