/**
 * Group commit: changes that arrive while the disk is busy share the next transaction, and with it the one wait for the disk.
 * A change that arrives alone does not wait.
 */

import { classifyError, DatabaseUnavailable, unavailable } from '../connections/database-errors';

/** Runs the work in one transaction. */
export type Transact<Trx> = <Result>(work: (trx: Trx) => Promise<Result>) => Promise<Result>;

/**
 * Runs the work in a transaction that it may share. Work with a smaller `order` runs first: transactions that lock the
 * same rows in the same order cannot deadlock.
 */
export interface GroupCommit<Trx> {
  <Result>(work: (trx: Trx) => Promise<Result>, order?: string): Promise<Result>;
  /** Runs the work in a transaction of its own, when its turn comes. */
  alone<Result>(work: (trx: Trx) => Promise<Result>): Promise<Result>;
}

/** How much may share and how much may wait. */
export interface GroupLimits {
  /** Changes in one transaction. */
  readonly group: number;
  /** Changes that wait for their transaction; what comes beyond is refused. */
  readonly waiting: number;
  /** What has waited longer when its turn comes is refused. */
  readonly timeoutMilliseconds: number;
}

const usualLimits: GroupLimits = { group: 128, waiting: 4096, timeoutMilliseconds: 10_000 };

interface Job<Trx> {
  readonly order: string;
  /** Whether it shares its transaction with no other. */
  readonly alone: boolean;
  /** When it arrived; milliseconds of the clock. */
  readonly since: number;
  /** Does the work; the result resolves the caller's promise, to be called after the commit. */
  run(trx: Trx): Promise<() => void>;
  fail(error: unknown): void;
}

/** Work that failed, and which one it was. */
class JobFailed<Trx> extends Error {
  readonly job: Job<Trx>;

  constructor(job: Job<Trx>, cause: unknown) {
    super('One of several changes failed', { cause });
    this.job = job;
  }
}

/** A failure of the database concerns all jobs, except for a statement that was blocked: the others do not run it. */
const failureOf = <Trx>(job: Job<Trx>, error: unknown): unknown => {
  const kind = classifyError(error);
  if (kind === 'blocked') return new JobFailed(job, unavailable(error));
  return kind === undefined ? new JobFailed(job, error) : error;
};

const byOrder = (one: { order: string }, other: { order: string }): number =>
  one.order < other.order ? -1 : Number(one.order > other.order);

/**
 * Makes the one queue of changes in front of a database.
 *
 * @param clock - milliseconds that never run backwards
 */
export const groupCommit = <Trx>(
  transact: Transact<Trx>,
  limits: GroupLimits = usualLimits,
  clock: () => number = () => performance.now(),
): GroupCommit<Trx> => {
  let waiting: Job<Trx>[] = [];
  let isBusy = false;

  const runAll = (jobs: readonly Job<Trx>[]) =>
    transact(async (trx) => {
      const resolvers: (() => void)[] = [];
      for (const job of jobs) resolvers.push(await job.run(trx));
      return resolvers;
    });

  const commit = async (jobs: readonly Job<Trx>[]): Promise<void> => {
    if (jobs.length === 0) return;
    try {
      for (const resolve of await runAll(jobs)) resolve();
    } catch (error) {
      await settle(jobs, error);
    }
  };

  /** Rejects all jobs, or runs the others again where one failed alone. */
  const settle = async (jobs: readonly Job<Trx>[], error: unknown): Promise<void> => {
    if (error instanceof JobFailed) await commitAround(jobs, error);
    else for (const job of jobs) job.fail(error);
  };

  /** The failed job runs by itself, after those before it, which succeeded, and before the rest. */
  const commitAround = async (
    jobs: readonly Job<Trx>[],
    { job, cause }: JobFailed<Trx>,
  ): Promise<void> => {
    const at = jobs.indexOf(job);
    await commit(jobs.slice(0, at));
    if (jobs.length === 1 || cause instanceof DatabaseUnavailable) job.fail(cause);
    else await commit([job]);
    await commit(jobs.slice(at + 1));
  };

  /** Rejects what has waited for too long. */
  const refuseLate = (jobs: readonly Job<Trx>[]): Job<Trx>[] => {
    const earliest = clock() - limits.timeoutMilliseconds;
    for (const job of jobs.filter(({ since }) => since < earliest)) {
      job.fail(unavailable(new Error('The change waited for too long')));
    }
    return jobs.filter(({ since }) => since >= earliest);
  };

  /** How many of the jobs the next transaction takes. */
  const groupSize = (jobs: readonly Job<Trx>[]): number => {
    const at = jobs.findIndex(({ alone }) => alone);
    return at === -1 ? limits.group : Math.min(Math.max(at, 1), limits.group);
  };

  const drain = async (): Promise<void> => {
    isBusy = true;
    while (waiting.length > 0) {
      const inTime = refuseLate(waiting);
      const size = groupSize(inTime);
      waiting = inTime.slice(size);
      await commit(inTime.slice(0, size).sort(byOrder));
    }
    isBusy = false;
  };

  const enqueue = <Result>(
    work: (trx: Trx) => Promise<Result>,
    order: string,
    alone: boolean,
  ): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (waiting.length >= limits.waiting) {
        throw unavailable(new Error(`${limits.waiting} changes are waiting`));
      }
      const job: Job<Trx> = {
        order,
        alone,
        since: clock(),
        fail: reject,
        async run(trx) {
          try {
            const result = await work(trx);
            return () => resolve(result);
          } catch (error) {
            throw failureOf(job, error);
          }
        },
      };
      waiting.push(job);
      if (!isBusy) void drain();
    });

  return Object.assign(
    <Result>(work: (trx: Trx) => Promise<Result>, order = '') => enqueue(work, order, false),
    { alone: <Result>(work: (trx: Trx) => Promise<Result>) => enqueue(work, '', true) },
  );
};
