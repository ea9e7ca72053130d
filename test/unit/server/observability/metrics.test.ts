import { expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/engine';
import { HttpError } from '../../../../src/http/http-error';
import type { Operation } from '../../../../src/model/operation';
import { httpMetrics, type Metrics } from '../../../../src/server/observability/metrics';

const counted =
  /^http_request_duration_seconds_count\{service="s",operation="x",method="GET",status="200"\} (\d+)$/m;
const labels = { service: 's', operation: 'x', method: 'GET', status: '200' };
const count = async (metrics: Metrics): Promise<number> =>
  Number(counted.exec((await metrics.expose()).text)?.[1]);

test('metrics of one process are its own', async () => {
  const [one, other] = [httpMetrics('requests'), httpMetrics('requests')];
  const series = one.requests(labels);
  series(0.1, {});
  other.requests(labels)(0.1, {});
  series(0.1, {});
  expect([await count(one), await count(other)]).toEqual([2, 1]);
  expect((await one.expose()).mediaType).toMatch(/^text\/plain/);
  expect((await one.expose()).text).not.toContain('process_');
});

/** The samples of some metrics, in the order of the exposition. */
const samples = async (metrics: Metrics, names: RegExp): Promise<string[]> =>
  (await metrics.expose()).text.split('\n').filter((line) => names.test(line));

test('failures are told apart by their rule, those of the database counted by its code', async () => {
  const metrics = httpMetrics('requests');
  const unavailable = { ...labels, status: '503', rule: 'unavailable' };
  const full = Object.assign(new Error('Full'), { code: 'SQLITE_FULL' });
  const count = metrics.requests(unavailable);
  count(0.1, { failure: new HttpError(503, 'unavailable', 'Full', { cause: full }) });
  count(0.1, { failure: new HttpError(503, 'unavailable', 'Too many bodies') });
  // Not of the database, although the code is the same.
  const broken = new HttpError(500, 'internal', 'A handler failed', { cause: full });
  metrics.requests({ ...labels, status: '500', rule: 'internal' })(0.1, { failure: broken });
  metrics.requests(labels)(0.1, {});
  const series = 'http_request_duration_seconds_count{service="s",operation="x",method="GET"';
  expect(await samples(metrics, /_count\{|_errors_total\{/)).toEqual([
    `${series},status="503",rule="unavailable"} 2`,
    `${series},status="500",rule="internal"} 1`,
    `${series},status="200"} 1`,
    'database_errors_total{code="SQLITE_FULL"} 1',
  ]);
});

test('calls of a deprecated operation are counted by the kind of the credential', async () => {
  const metrics = httpMetrics('requests');
  const [operation] = parseApiDocument(
    'old.yaml',
    JSON.stringify({
      ...{ openapi: '3.0.3', info: { title: 'Old', version: '1' } },
      paths: { '/': { get: { operationId: 'x', deprecated: true, responses: {} } } },
    }),
  ).operations;
  const old = { ...labels, operation: 'old' };
  const caller = { username: 'ann', subject: 'user:ann', scopes: [], credentialId: '1' };
  for (const called of [{ operation: operation as Operation }, {}]) {
    metrics.requests(old)(0.1, called);
    metrics.requests(old)(0.1, { ...called, caller: { ...caller, kind: 'client:shop' } });
    metrics.requests(old)(0.1, { ...called, caller: { ...caller, kind: 'user' } });
  }
  expect(await samples(metrics, /deprecated_requests_total\{/)).toEqual([
    'http_deprecated_requests_total{service="s",operation="old",credential="none"} 1',
    'http_deprecated_requests_total{service="s",operation="old",credential="client:shop"} 1',
    'http_deprecated_requests_total{service="s",operation="old",credential="user"} 1',
  ]);
});

test('items that do not fit are counted from 0 on, by collection', async () => {
  const metrics = httpMetrics('requests');
  const [count] = ['a', 'b', 'a'].map((name) => metrics.unfitItems('s', name));
  count?.();
  expect(await samples(metrics, /unfit_total\{/)).toEqual([
    'stored_items_unfit_total{service="s",collection="a"} 1',
    'stored_items_unfit_total{service="s",collection="b"} 0',
  ]);
});

test('show what waits, and the longest wait', async () => {
  const metrics = httpMetrics('process');
  metrics.watch('changes', () => ({ waiting: 2, oldestSeconds: 1 }));
  metrics.watch('postgres', () => ({ waiting: 0, inUse: 2, idle: 1, most: 10 }));
  metrics.countInFlight(1);
  expect(await samples(metrics, /^(queue|pool|http_requests_in_flight )/)).toEqual([
    'http_requests_in_flight 1',
    'queue_waiting{queue="changes"} 2',
    'queue_waiting{queue="postgres"} 0',
    'queue_oldest_age_seconds{queue="changes"} 1',
    'pool_connections_in_use{pool="postgres"} 2',
    'pool_connections_idle{pool="postgres"} 1',
    'pool_connections_max{pool="postgres"} 10',
  ]);
  expect((await metrics.expose()).text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
});
