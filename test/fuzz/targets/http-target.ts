/** The whole server, given bytes on a connection: each gets responses that are whole, or is closed; and others are served. */

import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { FuzzTarget } from '../../../scripts/fuzz/target';
import { readConfig } from '../../../src/server/config/config';
import { startServer } from '../../../src/server/server';
import { statusesOf } from './http-responses';
import { tokens } from './tokens';

const head = (...lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
const key = 'api_key: special-key';
const pet = '{"id":1,"name":"Rex","photoUrls":["a"]}';

const withBody = (line: string, type: string, body: string): string =>
  head(
    line,
    'Host: a',
    key,
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ) + body;

const seeds = [
  head('GET /livez HTTP/1.1', 'Host: a'),
  head('GET / HTTP/1.0'),
  head('GET /petstore/pet/1 HTTP/1.1', 'Host: a', key, 'Accept: application/xml'),
  head('GET /petstore/pet/findByStatus?status=available,sold HTTP/1.1', 'Host: a', key),
  head('HEAD /petstore/store/order/1 HTTP/1.1', 'Host: a') + head('GET /livez HTTP/1.1', 'Host: a'),
  head('OPTIONS * HTTP/1.1', 'Host: a'),
  head(
    'OPTIONS /petstore/pet HTTP/1.1',
    'Host: a',
    'Origin: http://b',
    'Access-Control-Request-Method: PUT',
  ),
  head('GET http://a/petstore/openapi.json HTTP/1.1', 'Host: a', 'Accept-Encoding: gzip'),
  head('GET /petstore/docs/ HTTP/1.1', 'Host: a', 'If-None-Match: *', 'Range: bytes=0-1'),
  head('GET /petstore/user/login?username=demo&password=demo-password HTTP/1.1', 'Host: a'),
  head('DELETE /petstore/store/order/9 HTTP/1.1', 'Host: a'),
  `${head('PUT /petstore/pet HTTP/1.1', 'Host: a', 'Expect: 100-continue', 'Content-Length: 2')}{}`,
  withBody('POST /petstore/store/order HTTP/1.1', 'application/json', '{"petId":1,"quantity":1}'),
  withBody('POST /petstore/pet HTTP/1.1', 'application/json', pet),
  withBody('POST /petstore/pet HTTP/1.1', 'application/xml', '<pet><name>a</name></pet>'),
  withBody(
    'PUT /petstore/pet HTTP/1.1',
    'application/x-www-form-urlencoded',
    'id=1&name=Rex&photoUrls=a',
  ),
  withBody('POST /ads/ads HTTP/1.1', 'application/json', '{}'),
  withBody('POST /petstore/user HTTP/1.1', 'application/json', '{"username":"u","password":"p"}'),
  withBody(
    'POST /oauth/token HTTP/1.1',
    'application/x-www-form-urlencoded',
    'grant_type=password',
  ),
  withBody(
    'POST /petstore/pet/1/uploadImage HTTP/1.1',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--b--\r\n',
  ),
  `${head('POST /petstore/store/order HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked', 'Content-Type: application/json')}2\r\n{}\r\n0\r\n\r\n`,
].map((seed) => Buffer.from(seed));

/** Sends the bytes and a FIN, and reads until the server closes. A reset is a close. */
const exchange = (port: number, bytes: Uint8Array): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.end(bytes);
  });

/** Statuses of 5xx that are right: not implemented, busy, another version. */
const honest = new Set([501, 503, 505]);

const checkResponses = (text: string): void => {
  const fault = statusesOf(text).find((status) => status >= 500 && !honest.has(status));
  if (fault !== undefined) throw new Error(`The server answers ${fault}: ${JSON.stringify(text)}`);
};

const configuration = (file: string) => ({
  PORT: '0',
  // The Host of the inputs.
  PUBLIC_URL: 'http://a',
  // Beside this file, however it has been compiled.
  HANDLERS_DIRECTORY: join(__dirname, '../../../handlers'),
  DATABASE_URL: `sqlite:${file}`,
  PASSWORD_COST: '10',
  RATE_LIMIT_PER_HOUR: '1000000000',
});

/** The number of inputs between two requests of another client. */
const between = 64;

/** A server on a database of its own. */
export const httpTarget = async (): Promise<FuzzTarget> => {
  const folder = await mkdtemp(join(tmpdir(), 'fuzz-'));
  const faults: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void faults.push(line) });
  const running = await startServer(readConfig(configuration(join(folder, 'data.sqlite'))), {
    log,
  });
  const port = Number(new URL(running.address).port);
  let left = between;
  const checkOthers = async (): Promise<void> => {
    left -= 1;
    if (left > 0) return;
    left = between;
    const text = await exchange(port, Buffer.from(head('GET /livez HTTP/1.1', 'Host: a')));
    if (statusesOf(text)[0] !== 200) throw new Error(`Others are not served: ${text}`);
  };
  return {
    tokens: tokens.http,
    seeds,
    isTimed: false,
    async run(input) {
      checkResponses(await exchange(port, input));
      const [fault] = faults.splice(0);
      if (fault !== undefined) throw new Error(`The server logs ${fault}`);
      await checkOthers();
    },
    async stop() {
      await running.stop();
      await rm(folder, { recursive: true });
    },
  };
};
