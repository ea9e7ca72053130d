import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  gatherMetrics,
  httpMetrics,
  type Metrics,
} from '../../../../src/server/observability/metrics';
import {
  type Channel,
  openChannel,
  type RequestHandler,
} from '../../../../src/server/processes/ipc';
import { connectedEnds } from '../processes/channel-ends';

afterEach(() => {
  jest.useRealTimers();
});

/** A channel whose two ends are one: it answers its own questions. */
const loop = (): Channel => {
  const givers = new Map<string, RequestHandler>();
  return {
    request: async (question, value) => {
      const give = givers.get(question);
      if (give === undefined) throw new Error('Silence');
      return JSON.parse(JSON.stringify(await give(value)));
    },
    handle: (question, give) => {
      givers.set(question, give);
    },
    isOpen: () => true,
  };
};

const counted =
  /^http_request_duration_seconds_count\{operation="x",method="GET",status="200"\} (\d+)$/m;
const count = async (metrics: Metrics): Promise<number> =>
  Number(counted.exec((await metrics.expose()).text)?.[1]);

test('metrics of one process are its own', async () => {
  const [one, other] = [httpMetrics({ process: false }), httpMetrics({ process: false })];
  const series = one.requests('x', 'GET', 200);
  series.observe(0.1);
  other.requests('x', 'GET', 200).observe(0.1);
  series.observe(0.1);
  expect([await count(one), await count(other)]).toEqual([2, 1]);
  expect((await one.expose()).mediaType).toMatch(/^text\/plain/);
  expect((await one.expose()).text).not.toContain('process_');
});

describe('metrics of several processes', () => {
  const worker = () => {
    const channel = loop();
    return { channel, metrics: httpMetrics({ process: true, primary: channel }) };
  };

  test('are summed up, whoever asks', async () => {
    const workers = [worker(), worker(), worker()];
    for (const { channel } of workers) gatherMetrics(channel, () => workers.map((w) => w.channel));
    workers.forEach(({ metrics }, index) => {
      const series = metrics.requests('x', 'GET', 200);
      for (let times = 0; times <= index; times += 1) series.observe(0.1);
    });
    for (const { metrics } of workers) expect(await count(metrics)).toBe(6);
    const text = (await workers[0]?.metrics.expose())?.text;
    expect(text).toMatch(/_bucket\{le="0\.1",operation="x",method="GET",status="200"\} 6$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  });

  test('leave out those that do not answer, and say how many', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick'] });
    const [primary, answering] = connectedEnds().ends.map(openChannel) as [Channel, Channel];
    const silent = openChannel(connectedEnds().ends[0]);
    const metrics = httpMetrics({ process: true, primary });
    gatherMetrics(answering, () => [answering, silent]);
    metrics.requests('x', 'GET', 200).observe(0.1);
    const exposed = metrics.expose();
    await jest.advanceTimersByTimeAsync(3000);
    const { text } = await exposed;
    expect(text).toMatch(counted);
    expect(text).toMatch(/^metrics_unanswered_processes 1$/m);
  });

  test('cannot be had where nobody gathers them', async () => {
    await expect(worker().metrics.expose()).rejects.toThrow('Silence');
  });
});
