/** Log lines of requests: one each, and at the level debug a line for each step, without secrets. */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../../scripts/machine/until';
import { logTo } from '../../src/server/observability/log';
import { startServer } from '../../src/server/server';
import { closeDatabase, openDatabase } from '../../src/storage/database/database';
import { knexAccounts } from '../../src/storage/identity/users';
import { type Ask, type Asked, askAt } from '../support/ask';
import { newDatabase } from '../support/new-database';
import { sendRaw } from '../support/raw-socket';
import { testConfig } from '../support/start';

type Line = Readonly<Record<string, unknown>>;

const lines: Line[] = [];
let ask: Ask;
let origin: string;
let url: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  const database = await newDatabase();
  ({ url } = database);
  const config = testConfig({ DATABASE_URL: database.url, TRUSTED_PROXIES: '1' });
  const log = logTo('debug', { write: (line) => void lines.push(JSON.parse(line)) });
  const running = await startServer(config, { log });
  ({ origin } = running);
  ({ url } = database);
  ask = askAt(origin);
  stop = async () => {
    await running.stop();
    await database.remove();
  };
});
afterAll(() => stop());

/** Asks, and waits for the lines of the request. */
const linesOf = async (id: string, target: string, asked: Asked = {}): Promise<readonly Line[]> => {
  const headers = {
    'X-Request-Id': id,
    'X-Forwarded-For': '203.0.113.9',
    ...asked.headers,
  };
  await ask(target, { ...asked, headers });
  const own = () => lines.filter(({ requestId }) => requestId === id);
  return until('the line of the request', () =>
    own().some(({ msg }) => msg === 'request') ? own() : undefined,
  );
};

const messagesOf = (found: readonly Line[]) => found.map(({ msg }) => msg);

test('a request that succeeds: each of its steps, its statements, and who called', async () => {
  const found = await linesOf('read', 'GET /petstore/pet/1', { key: 'special-key' });
  const steps = messagesOf(found).filter((msg) => msg !== 'Statement run');
  expect(steps).toEqual([
    'Operation found',
    'Security scheme tried',
    'Security scheme tried',
    'Request authorized',
    'Response can be written',
    'Parameters read',
    'Handler answered',
    'Response written',
    'request',
  ]);
  expect(found).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ operation: 'getPetById', template: '/pet/{petId}' }),
      expect.objectContaining({ scheme: 'api_key', outcome: 'accepted' }),
      expect.objectContaining({
        scheme: 'petstore_auth',
        outcome: 'No credential was sent',
      }),
      expect.objectContaining({ mediaType: 'application/json' }),
      expect.objectContaining({
        msg: 'Statement run',
        sql: expect.stringMatching(/^select /i),
        milliseconds: expect.any(Number),
      }),
      expect.objectContaining({
        msg: 'request',
        status: 200,
        address: '203.0.113.9',
        caller: expect.any(String),
      }),
    ]),
  );
});

test.each<[string, string, Asked, Line, Line]>([
  [
    'an unknown key',
    'GET /petstore/pet/1',
    { key: 'secret-key' },
    { scheme: 'api_key', outcome: 'The API key is not valid' },
    { status: 401, reason: expect.stringMatching(/^The API key is not valid/) },
  ],
  [
    'a body that breaks a rule',
    'POST /petstore/store/order',
    { body: { petId: 1, quantity: 'secret-value' } },
    {
      msg: 'Request refused',
      reasons: ['The request body is invalid', 'body /quantity must be an integer'],
    },
    { status: 405, reason: 'The request body is invalid: body /quantity must be an integer' },
  ],
  [
    'a path without operation',
    'GET /petstore/nowhere?password=secret-query',
    {},
    { code: 'route-not-found' },
    { status: 404, reason: 'No operation has this path' },
  ],
])('a request that is refused for %s', async (name, target, asked, step, line) => {
  const found = await linesOf(name.replaceAll(' ', '-'), target, asked);
  expect(found).toContainEqual(expect.objectContaining(step));
  expect(found.at(-1)).toMatchObject(line);
  expect(JSON.stringify(found)).not.toContain('secret-');
});

test('a sign-in of a disabled user: why it was refused, which the answer does not tell', async () => {
  const db = await openDatabase(url);
  await knexAccounts(db, 'petstore').setDisabled('demo', Date.now());
  const signIn = (password: string) =>
    linesOf(password, `GET /petstore/user/login?username=demo&password=${password}`);
  const refusal = {
    ...{ level: 30, msg: 'A sign-in was refused: the user is disabled', service: 'petstore' },
    ...{ caller: 'user:demo', address: '203.0.113.9' },
  };
  expect(await signIn('demo-password')).toContainEqual(expect.objectContaining(refusal));
  expect(await signIn('wrong')).not.toContainEqual(expect.objectContaining(refusal));
  await closeDatabase(db);
});

test('a request that no service sees has a line and a count', async () => {
  const { text } = await sendRaw(origin, 'FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const requestId = /^x-request-id: (\S+)/im.exec(text)?.[1];
  const found = lines.find((line) => line['requestId'] === requestId);
  expect(found).toMatchObject({ status: 400, reason: 'The request is not HTTP/1.1' });
  expect((await ask('GET /metrics')).text).toMatch(
    /^http_requests_refused_total\{status="400"\} 1$/m,
  );
});

test('the metrics tell requests apart by service and rule, and show what waits; callers choose no label', async () => {
  await ask('GET /petstore/store/order/7?secret-name=secret-value', { key: 'secret-key' });
  await ask('GET /petstore/secret-path', { headers: { 'X-Request-Id': 'secret-id' } });
  await ask('GET /petstore/pet/1', { key: 'special-key' });
  // A request is counted when its response has been closed.
  const text = await until('the end of all requests before', async () => {
    const metrics = (await ask('GET /metrics')).text;
    return /^http_requests_in_flight 1$/m.test(metrics) ? metrics : undefined;
  });
  expect(text).not.toContain('secret-');
  const counted = (service: string, operation: string, end: string) =>
    `http_request_duration_seconds_count{service="${service}",operation="${operation}",${end}}`;
  expect(text).toContain(
    counted('petstore', 'getOrderById', 'method="GET",status="400",rule="invalid-parameter"'),
  );
  expect(text).toContain(
    counted('none', 'none', 'method="GET",status="404",rule="route-not-found"'),
  );
  expect(text).toContain(counted('petstore', 'getPetById', 'method="GET",status="200"'));
  expect(text).toMatch(/^queue_oldest_age_seconds\{queue="changes"\} 0$/m);
  const shown = [...text.matchAll(/^(?:queue_waiting|pool_\w+)\{\w+="(\w+)"\} \d+$/gm)];
  const onPostgres = ['postgres', 'reads', 'changes', 'postgres', 'postgres', 'postgres'];
  expect(shown.map(([, part]) => part)).toEqual([
    'requests',
    ...(url.startsWith('postgres') ? onPostgres : ['changes']),
  ]);
});
