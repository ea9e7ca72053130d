/** Connections of one address, by raw sockets. */

import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { networkOf } from '../../../../src/http/caller';
import { readConfig } from '../../../../src/server/config/config';
import { httpServer } from '../../../../src/server/http/http-server';

const bounds = { maxConnections: 10, maxConnectionsPerAddress: 2, leastBodySpeed: 0 };

describe('a host', () => {
  const server = () => httpServer((_request, response) => response.end('served'), bounds);
  let running = server();
  let sockets: Socket[] = [];

  beforeEach(async () => {
    sockets = [];
    running = server().listen(0, '0.0.0.0');
    await once(running, 'listening');
  });

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    running.close();
    await once(running, 'close');
  });

  /** A connection from an address, and what came of a request on it; empty where it was closed. */
  const ask = async (localAddress: string): Promise<{ socket: Socket; text: string }> => {
    const { port } = running.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.push(socket);
    // A connection that is closed while the request is sent is reset.
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const text = await new Promise<string>((resolve) => {
      socket.once('data', (bytes) => resolve(String(bytes)));
      socket.once('close', () => resolve(''));
    });
    return { socket, text };
  };

  test('holds its share and no more, others have theirs, and what it gives up it may have again', async () => {
    const served = expect.stringMatching(/^HTTP\/1\.1 200 /);
    const first = await ask('127.0.0.1');
    expect([first.text, (await ask('127.0.0.1')).text]).toEqual([served, served]);
    expect((await ask('127.0.0.1')).text).toBe('');
    expect((await ask('127.0.0.2')).text).toEqual(served);
    first.socket.destroy();
    let again = await ask('127.0.0.1');
    // The server hears of the end a moment later.
    while (again.text === '') again = await ask('127.0.0.1');
    expect(again.text).toEqual(served);
    expect((await ask('127.0.0.1')).text).toBe('');
  });
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['no address', 'no address'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  [{}, 1500],
  [{ MAX_CONNECTIONS: '1' }, 1],
  [{ TRUSTED_PROXIES: '1', MAX_CONNECTIONS: '20' }, 20],
  [{ TRUSTED_PROXIES: '1', MAX_CONNECTIONS_PER_ADDRESS: '7' }, 7],
])('%j lets an address have %d', (environment, most) => {
  expect(readConfig(environment).maxConnectionsPerAddress).toBe(most);
});
