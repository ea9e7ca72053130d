import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { endInOneWrite } from '../../../../src/engine/http/end-in-one-write';

let server: Server;

afterEach(() => {
  server.close();
});

/** All bytes that come back for these requests on one connection. */
const answersTo = async (listener: RequestListener, ...paths: string[]): Promise<Buffer> => {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [last] = paths.slice(-1);
  const headerOf = (path: string): string => (path === last ? 'Connection: close\r\n' : '');
  socket.end(
    paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headerOf(path)}\r\n`).join(''),
  );
  const bytes: Buffer[] = [];
  for await (const some of socket) bytes.push(some);
  return Buffer.concat(bytes);
};

const respond =
  (body: string | Uint8Array, encoding: 'utf8' | 'latin1'): RequestListener =>
  (_request, response) => {
    response.sendDate = false;
    response.writeHead(200, ['Content-Length', String(Buffer.byteLength(body))]);
    endInOneWrite(response, body, encoding);
  };

const headOf = (length: number): string =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;

describe('endWith', () => {
  test.each<[string, string | Uint8Array, 'utf8' | 'latin1']>([
    ['a short text', 'hello', 'latin1'],
    ['a text of more bytes than characters', 'grüße 🐈', 'utf8'],
    ['bytes', Uint8Array.of(0, 128, 255), 'utf8'],
    ['nothing', '', 'latin1'],
    ['more than a connection takes at once', 'x'.repeat(8_000_000), 'latin1'],
  ])('sends %s', async (_, body, encoding) => {
    const bytes = Buffer.from(body);
    const answer = await answersTo(respond(body, encoding), '/');
    expect(answer.equals(Buffer.concat([Buffer.from(headOf(bytes.length)), bytes]))).toBe(true);
  });

  test('keeps answers in the order of their requests', async () => {
    const waiting: (() => void)[] = [];
    const answer = await answersTo(
      (request, response) => {
        const body = `answer to ${request.url}`;
        waiting.push(() => respond(body, 'latin1')(request, response));
        // The last is answered first: it has no connection yet.
        if (waiting.length === 3) for (const act of waiting.reverse()) act();
      },
      ...['/1', '/2', '/3'],
    );
    expect(answer.toString().match(/answer to \/\d/g)).toEqual([
      'answer to /1',
      'answer to /2',
      'answer to /3',
    ]);
  });

  test('writes once', async () => {
    const lists: unknown[] = [];
    await answersTo((request, response) => {
      const writev = jest.spyOn(request.socket, '_writev' as 'write');
      response.on('close', () => lists.push(...writev.mock.calls));
      respond('hello', 'latin1')(request, response);
    }, '/');
    expect(lists).toEqual([]);
  });

  test('ends nothing twice where the caller has gone', async () => {
    const ended = new Promise<string[]>((resolve) => {
      server = createServer((request, response) => {
        const events: string[] = [];
        for (const name of ['finish', 'close', 'error']) {
          response.on(name, () => events.push(name));
        }
        response.on('close', () => setImmediate(() => resolve(events)));
        request.socket.destroy();
        respond('hello', 'latin1')(request, response);
      }).listen(0, '127.0.0.1');
    });
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(await ended).toEqual(['close']);
  });
});
