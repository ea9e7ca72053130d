/** Bounds of a process at one time: bytes of bodies, connections, small pieces of a body. */

import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { until } from '../../scripts/machine/until';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { openSocket, readUntil, sendRaw } from '../support/raw-socket';
import { useServices } from '../support/services';

const limit = 200_000;
const services = useServices({
  MAX_BODY_BYTES: String(limit),
  MAX_UPLOAD_BYTES: String(limit),
  MAX_BODIES_BYTES: String(limit),
  MAX_CONNECTIONS: '20',
  MAX_CONNECTIONS_PER_ADDRESS: '20',
});

const head = (...headers: string[]) =>
  [
    'POST /petstore/store/order HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    ...headers,
    '\r\n',
  ].join('\r\n');

const order = (size: number) => ({ petId: 1, x: 'x'.repeat(size) });
const post = (size: number) => services().ask('POST /petstore/store/order', { body: order(size) });

const isTaken = async (size: number) => (await post(size)).status === 200 || undefined;

describe('bodies that are held', () => {
  /** Sends most of a body, and resolves when the server holds it. */
  const holdBody = async (size: number) => {
    const socket = openSocket(services().origin);
    socket.write(head(`Content-Length: ${limit}`, 'Expect: 100-continue'));
    await readUntil(socket, /^HTTP\/1\.1 100 /);
    socket.write('x'.repeat(size));
    // A body that cannot be held is one more than there is room for.
    await until('the body is held', async () => {
      const { status } = await post(limit - size);
      return status === 503 || undefined;
    });
    return socket;
  };

  test('leave no room for others until they are gone', async () => {
    const socket = await holdBody(150_000);
    const refused = await post(100_000);
    expect(await expectError(refused, 503)).toMatchObject({ type: 'unavailable' });
    expect(refused.headers['retry-after']).toBe('1');
    expectOk(await post(10_000));
    expectOk(await services().ask('GET /petstore/store/order/1'));
    socket.destroy();
    await until('there is room again', () => isTaken(100_000));
  });

  test('that are announced and find no room are refused without being waited for', async () => {
    const socket = await holdBody(150_000);
    const { statuses, text } = await sendRaw(
      services().origin,
      head('Content-Length: 100000', 'Expect: 100-continue'),
    );
    expect(statuses).toEqual([503]);
    expect(text).toMatch(/^Retry-After: 1\r$/m);
    socket.destroy();
    await until('there is room again', () => isTaken(100_000));
  });

  test('are forgotten when they have been answered', async () => {
    for (let count = 0; count < 10; count += 1) expectOk(await post(150_000));
    const token = services().petToken;
    const upload = { token, type: 'application/octet-stream', body: Buffer.alloc(150_000) };
    for (let count = 0; count < 3; count += 1) {
      expectOk(await services().ask('POST /petstore/pet/1/uploadImage', upload));
    }
    for (let count = 0; count < 3; count += 1) {
      const refused = await services().ask('POST /petstore/store/order', {
        type: 'application/json',
        body: 'x'.repeat(150_000),
      });
      await expectError(refused, 405);
    }
    expectOk(await post(150_000));
  });
});

test('a body in very many small pieces is refused', async () => {
  const body = `${head('Transfer-Encoding: chunked')}${'1\r\n \r\n'.repeat(2000)}`;
  const { statuses } = await sendRaw(services().origin, body);
  expect(statuses).toEqual([400]);
});

test('a body in some hundred pieces is taken', async () => {
  const pieces = [...JSON.stringify(order(500))].map((character) => `1\r\n${character}\r\n`);
  const body = `${head('Transfer-Encoding: chunked', 'Connection: close')}${pieces.join('')}0\r\n\r\n`;
  const { statuses } = await sendRaw(services().origin, body);
  expect(statuses).toEqual([200]);
});

test('a connection beyond the bound is closed, and the others are served', async () => {
  const sockets = Array.from({ length: 40 }, () => openSocket(services().origin));
  let closed = 0;
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    socket.on('close', () => (closed += 1));
  }
  await until('the others are closed', () => closed >= 20);
  expect(closed).toBeLessThan(40);
  const [open] = sockets.filter(({ destroyed }) => !destroyed);
  open?.write(
    'GET /petstore/store/order/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );
  const [answer] = open === undefined ? [] : await once(open, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  for (const socket of sockets) socket.destroy();
  await until('there is a connection again', () => isTaken(1).catch(() => undefined));
});
