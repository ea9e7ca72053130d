/** The memory that an HTTP server keeps of a request. */

import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate as turnEnds } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { until } from '../../../../scripts/machine/until';
import { httpServer } from '../../../../src/server/http/http-server';
import { listen } from '../../../support/listen';
import { openSocket } from '../../../support/raw-socket';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

test('an idle connection keeps neither its last request nor the answer', async () => {
  const kept: WeakRef<IncomingMessage | ServerResponse>[] = [];
  const server = httpServer((request, response) => {
    kept.push(new WeakRef(request), new WeakRef(response));
    response.end('answered');
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const origin = await listen(server);
  const ask = async (): Promise<void> => {
    const [answer]: IncomingMessage[] = await once(get(origin, { agent }), 'response');
    answer?.resume();
    if (answer) await once(answer, 'end');
  };
  for (let count = 0; count < 5; count += 1) await ask();
  const alive = () => kept.filter((one) => one.deref() !== undefined).length;
  // What V8 compiles meanwhile may hold one of them for a moment.
  for (let turn = 0; turn < 50 && alive() > 0; turn += 1) {
    await turnEnds();
    collectGarbage();
  }
  expect([connections, kept.length, alive()]).toEqual([1, 10, 0]);
  agent.destroy();
});

test('a response that waits behind another closes with its connection', async () => {
  const closed: (string | undefined)[] = [];
  const arrived: ServerResponse[] = [];
  const server = httpServer(({ url }, response) => {
    response.on('close', () => closed.push(url));
    arrived.push(response);
  });
  const socket = openSocket(await listen(server));
  socket.write(
    ['/1', '/2', '/3'].map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''),
  );
  await until('all arrive', () => arrived.length === 3);
  arrived[0]?.end();
  await until('the first is sent', () => closed.length === 1);
  socket.destroy();
  await until('the others close', () => closed.length >= 3);
  expect(closed.sort()).toEqual(['/1', '/2', '/3']);
});
