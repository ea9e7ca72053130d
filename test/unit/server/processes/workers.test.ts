import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Ending, WorkerProcess } from '../../../../src/server/processes/worker-process';
import { runWorkers } from '../../../../src/server/processes/workers';

/** A worker that starts and ends when the test says so. */
interface FakeWorker extends WorkerProcess {
  start(): void;
  fail(reason: string): void;
  end(ending?: Partial<Ending>): void;
  readonly signals: readonly NodeJS.Signals[];
}

const fakeWorker = (pid: number): FakeWorker => {
  let start: (lines: readonly string[]) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  let end: (ending: Ending) => void = () => undefined;
  const started = new Promise<readonly string[]>((resolve, reject) => {
    [start, fail] = [resolve, reject];
  });
  const ended = new Promise<Ending>((resolve) => {
    end = resolve;
  });
  const signals: NodeJS.Signals[] = [];
  return {
    ...{ pid, started, ended, signals },
    signal: (name) => {
      signals.push(name);
    },
    start: () => start([`served by ${pid}`]),
    fail: (reason) => fail(new Error(reason)),
    end: (ending = {}) => end({ code: 0, signal: null, ...ending }),
  };
};

/** Everything that promises and no timer bring about. */
const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

let workers: FakeWorker[] = [];
let announced: (readonly string[])[] = [];
let logged: string[] = [];
let stop = new AbortController();

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  [workers, announced, logged] = [[], [], []];
  stop = new AbortController();
});
afterEach(() => {
  jest.useRealTimers();
});

const run = (count: number): Promise<boolean> =>
  runWorkers({
    count,
    fork: () => {
      const worker = fakeWorker(workers.length + 1);
      workers.push(worker);
      return worker;
    },
    shutdownSeconds: 5,
    log: {
      info: (_: unknown, message?: string) => void logged.push(String(message)),
      error: (_: unknown, message?: string) => void logged.push(String(message)),
    },
    stop: stop.signal,
    announce: (lines) => announced.push(lines),
  });

const signals = (): (readonly NodeJS.Signals[])[] => workers.map((worker) => worker.signals);

/** Runs so many workers until all serve. */
const runAndStart = async (count: number): Promise<{ readonly running: Promise<boolean> }> => {
  const running = run(count);
  for (const worker of workers) worker.start();
  await settled();
  return { running };
};

describe('the start', () => {
  test('announces once, when the last one serves', async () => {
    run(3);
    workers[2]?.start();
    workers[0]?.start();
    await settled();
    expect(announced).toEqual([]);
    workers[1]?.start();
    await settled();
    expect(announced).toEqual([['served by 1']]);
  });

  test('that fails fails with the first reason, when the others have ended', async () => {
    const outcome = run(3).catch((error: Error) => error.message);
    workers[0]?.start();
    workers[1]?.fail('The port is in use');
    workers[2]?.fail('So it is');
    await settled();
    expect(signals()).toEqual([['SIGTERM'], ['SIGTERM'], ['SIGTERM']]);
    for (const worker of workers) worker.end();
    expect(await outcome).toBe('The port is in use');
    expect([announced, workers.length]).toEqual([[], 3]);
  });

  test('that is stopped is no failure', async () => {
    const running = run(2);
    stop.abort();
    for (const worker of workers) {
      worker.fail('A worker ended before it served');
      worker.end({ code: null, signal: 'SIGTERM' });
    }
    expect(await running).toBe(true);
    expect(announced).toEqual([]);
  });
});

/** Lets so many milliseconds pass. */
const pass = async (milliseconds: number): Promise<void> => {
  await settled();
  jest.advanceTimersByTime(milliseconds);
  await settled();
};

describe('a worker that ends', () => {
  test('is replaced after a second, whatever its end', async () => {
    await runAndStart(2);
    workers[1]?.end({ code: null, signal: 'SIGKILL' });
    await pass(999);
    expect(workers).toHaveLength(2);
    await pass(1);
    workers[2]?.start();
    await settled();
    workers[2]?.end({ code: 0 });
    await pass(1000);
    expect(workers).toHaveLength(4);
    expect(logged).toEqual([
      'Worker ended; it is replaced',
      'Worker restarted',
      'Worker ended; it is replaced',
    ]);
  });

  test('before it serves is tried again, and the reason is logged', async () => {
    await runAndStart(1);
    workers[0]?.end();
    await pass(1000);
    workers[1]?.fail('The database is away');
    workers[1]?.end({ code: 1 });
    await pass(1000);
    expect([workers.length, logged]).toEqual([
      3,
      ['Worker ended; it is replaced', 'Worker could not start', 'Worker ended; it is replaced'],
    ]);
  });
});

describe('the stop', () => {
  test('waits for all, and replaces none', async () => {
    const { running } = await runAndStart(2);
    stop.abort();
    await settled();
    expect(signals()).toEqual([['SIGTERM'], ['SIGTERM']]);
    workers[0]?.end();
    workers[1]?.end();
    expect(await running).toBe(true);
    expect([workers.length, jest.getTimerCount()]).toEqual([2, 0]);
  });

  test('kills those that are late', async () => {
    const { running } = await runAndStart(2);
    stop.abort();
    workers[0]?.end();
    await settled();
    jest.advanceTimersByTime(6999);
    expect(signals()).toEqual([['SIGTERM'], ['SIGTERM']]);
    jest.advanceTimersByTime(1);
    expect(signals()).toEqual([['SIGTERM'], ['SIGTERM', 'SIGKILL']]);
    workers[1]?.end({ code: null, signal: 'SIGKILL' });
    expect(await running).toBe(false);
  });

  test.each<[string, Partial<Ending>, boolean]>([
    ['has finished', { code: 0 }, true],
    ['was still starting', { code: null, signal: 'SIGTERM' }, true],
    ['was still starting at a terminal', { code: null, signal: 'SIGINT' }, true],
    ['crashed', { code: 1 }, false],
    ['was killed', { code: null, signal: 'SIGKILL' }, false],
  ])('of one that %s', async (_, ending, inOrder) => {
    const { running } = await runAndStart(1);
    stop.abort();
    workers[0]?.end(ending);
    expect(await running).toBe(inOrder);
  });

  test('reaches one that has taken the place of another', async () => {
    const { running } = await runAndStart(1);
    workers[0]?.end({ code: 1 });
    await pass(1000);
    stop.abort();
    await settled();
    expect(signals()).toEqual([[], ['SIGTERM']]);
    workers[1]?.end();
    expect(await running).toBe(true);
  });

  test('comes at once where one is to be replaced', async () => {
    const { running } = await runAndStart(1);
    workers[0]?.end({ code: 1 });
    await settled();
    stop.abort();
    expect(await running).toBe(true);
    expect([workers.length, jest.getTimerCount()]).toEqual([1, 0]);
  });
});
