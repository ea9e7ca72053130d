/** Traces and metrics by OpenTelemetry: one trace from the caller to the database, in every worker, without secrets. */

import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { until } from '../../scripts/machine/until';
import { headersOf, meta } from '../support/agent';
import { type Asked, askAt } from '../support/ask';
import { expectOk } from '../support/expect-ok';
import { askEveryWorker, logLines } from '../support/log-lines';
import { useNewDatabases } from '../support/new-database';
import { type ReceivedSpan, startReceiver } from '../support/otlp-receiver';
import { type RunningProgram, useProgram } from '../support/program';

const program = useProgram();
const newDatabase = useNewDatabases();

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let running: RunningProgram;
let system: string;

beforeAll(async () => {
  receiver = await startReceiver();
  const url = await newDatabase();
  system = url.startsWith('sqlite:') ? 'sqlite' : 'postgresql';
  const environment = {
    DATABASE_URL: url,
    WORKERS: '2',
    LOG_LEVEL: 'info',
    AUTH_ISSUER: receiver.origin,
    AUTH_JWKS_URL: `${receiver.origin}/keys`,
    ...receiver.environment,
  };
  running = await program().start(environment, { outlivesTest: true });
});

const callerSpan = 'b7ad6b7169203331';

/** Asks as a part of a new trace (W3C Trace Context). */
const askInTrace = async (target: string, asked: Asked = {}, flags = '01') => {
  const traceId = randomBytes(16).toString('hex');
  const traceparent = `00-${traceId}-${callerSpan}-${flags}`;
  const answer = await askAt(running.origin)(target, {
    ...asked,
    headers: { ...asked.headers, traceparent },
  });
  return { answer, traceId };
};

const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.find((span) => span.name === name);
  if (found === undefined) throw new Error(`${name} is not in ${spans.map((span) => span.name)}`);
  return found;
};

test('a read is one trace from its caller to the database', async () => {
  const { answer, traceId } = await askInTrace('GET /petstore/pet/1?limit=secret-query', {
    key: 'special-key',
  });
  expect(answer.status).toBe(200);
  const spans = await receiver.traceOf(traceId);
  const server = named(spans, 'GET /petstore/pet/{petId}');
  expect(server).toMatchObject({ kind: 2, parentSpanId: callerSpan });
  expect(server.attributes).toMatchObject({
    'http.request.method': 'GET',
    'http.route': '/petstore/pet/{petId}',
    'http.response.status_code': 200,
    'url.path': '/petstore/pet/1',
    'url.scheme': 'http',
    'server.address': '127.0.0.1',
    'client.address': '127.0.0.1',
    'openapi.operation_id': 'getPetById',
  });
  for (const part of ['authorization', 'validation', 'handler']) {
    expect(named(spans, part)).toMatchObject({ kind: 1, parentSpanId: server.spanId });
  }
  const statement = named(spans, 'SELECT items');
  expect(statement).toMatchObject({ kind: 3, parentSpanId: named(spans, 'handler').spanId });
  expect(statement.attributes).toMatchObject({
    'db.system.name': system,
    'db.query.text': expect.stringMatching(/^select .*items/),
    'db.operation.name': 'SELECT',
  });
});

test("an agent's call is in the trace that its message names", async () => {
  const traceId = randomBytes(16).toString('hex');
  const traceparent = `00-${traceId}-${callerSpan}-01`;
  const params = {
    name: 'getPetById',
    arguments: { path: { petId: '1' } },
    _meta: { ...meta, traceparent },
  };
  const { answer, traceId: outer } = await askInTrace('POST /petstore/mcp', {
    key: 'special-key',
    headers: headersOf({ method: 'tools/call', params }),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  expect(answer.status).toBe(200);
  const spans = await receiver.traceOf(traceId);
  const server = named(spans, 'GET /petstore/pet/{petId}');
  expect(server).toMatchObject({ kind: 2, parentSpanId: callerSpan });
  expect(named(spans, 'SELECT items').parentSpanId).toBe(named(spans, 'handler').spanId);
  const message = named(await receiver.traceOf(outer), 'POST /petstore/mcp');
  expect(message.attributes).toMatchObject({
    'http.route': '/petstore/mcp',
    'openapi.operation_id': 'getPetById',
  });
  const line = await until('the line of the call', () =>
    logLines(running).find((line) => Reflect.get(line, 'path') === '/petstore/mcp'),
  );
  expect(line).toMatchObject({ trace_id: traceId, span_id: server.spanId });
});

test('changes that share a transaction keep to their own traces', async () => {
  const body = { petId: 1, quantity: 1 };
  const asked = { key: 'special-key', body };
  const added = await Promise.all(
    Array.from({ length: 20 }, () => askInTrace('POST /petstore/store/order', asked)),
  );
  for (const { answer, traceId } of added) {
    expectOk(answer);
    const inserted = (await receiver.traceOf(traceId)).filter(
      ({ name }) => name === 'INSERT items',
    );
    expect(inserted).toHaveLength(1);
  }
});

test('a request that does not fit never reaches its handler', async () => {
  const { answer, traceId } = await askInTrace('GET /petstore/store/order/7');
  expect(answer.status).toBe(400);
  const spans = await receiver.traceOf(traceId);
  expect(spans.map(({ name }) => name)).not.toContain('handler');
  const server = named(spans, 'GET /petstore/store/order/{orderId}');
  expect(server.attributes).toMatchObject({
    'http.response.status_code': 400,
    'error.type': 'invalid-parameter',
  });
});

test('what is fetched for a request carries its trace on', async () => {
  const token = [{ alg: 'ES256', typ: 'at+jwt', kid: 'one' }, { iss: receiver.origin }, 'secret']
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const { traceId } = await askInTrace('GET /petstore/pet/findByStatus?status=sold', { token });
  await receiver.traceOf(traceId);
  const asked = receiver.otherRequests.find(({ path }) => path === '/keys');
  expect(asked?.headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-(?!${callerSpan})`));
});

test('the lines of the log name the trace, sampled or not', async () => {
  const sampled = await askInTrace('GET /petstore/pet/1', { key: 'special-key' });
  const unsampled = await askInTrace('GET /petstore/pet/1', { key: 'special-key' }, '00');
  for (const { traceId } of [sampled, unsampled]) {
    await until('the line of the request', () =>
      logLines(running).find((line) => Reflect.get(line, 'trace_id') === traceId),
    );
  }
  await receiver.traceOf(sampled.traceId);
  expect(receiver.text()).not.toContain(unsampled.traceId);
});

test('every worker exports its traces and its metrics', async () => {
  const { pids } = await askEveryWorker(running, () => askInTrace('GET /petstore/store/order/1'));
  const wanted = [
    'http_request_duration_seconds_bucket',
    'http_request_duration_seconds_count',
    'document_info',
    'process_cpu_seconds_total',
  ];
  // The first export of a worker may be older than its first request.
  await until(`both export ${wanted}`, () =>
    pids.every((pid) => wanted.every((name) => receiver.metrics.get(pid)?.has(name)))
      ? true
      : undefined,
  );
});

test('no secret is exported', () => {
  for (const secret of ['special-key', 'secret-query', 'c2VjcmV0', 'demo-password']) {
    expect(receiver.text()).not.toContain(secret);
  }
});

test('without its receiver the program serves, says so, and stops in order', async () => {
  receiver.leave();
  await askInTrace('GET /petstore/store/order/1');
  await until('a line about the export', () =>
    logLines(running).find(({ msg }) => msg === 'Telemetry cannot be exported'),
  );
  expect((await askInTrace('GET /petstore/store/order/1')).answer.status).toBe(200);
  expect(await running.end('SIGTERM')).toBe(0);
});
