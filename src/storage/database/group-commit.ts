/**
 * Group commit: changes that arrive while the disk is busy share the next transaction, and with it the one wait for the disk.
 * A change that arrives alone does not wait.
 */

import { setImmediate } from 'node:timers/promises';
import { controlledDelay } from '../../base/controlled-delay';
import { classifyError, DatabaseUnavailable, unavailable } from '../connections/database-errors';
import { type Job, runInRounds, runInTurn, type Sharing } from './shared-transaction';

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
  /** What has waited longer when its turn comes is refused, also where a single transaction took so long. */
  readonly timeoutMilliseconds: number;
}

const usualLimits: GroupLimits = { group: 128, waiting: 4096, timeoutMilliseconds: 10_000 };

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
  sharing?: Sharing<Trx>,
  limits: GroupLimits = usualLimits,
  clock: () => number = () => performance.now(),
): GroupCommit<Trx> => {
  const delay = controlledDelay(clock);
  let waiting: Job<Trx>[] = [];
  let running = 0;
  const most = sharing?.transactions ?? 1;

  const runAll = (jobs: readonly Job<Trx>[]) =>
    transact((trx) =>
      sharing === undefined ? runInTurn(trx, jobs) : runInRounds(trx, jobs, sharing, failureOf),
    );

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

  const isLate = ({ since }: Job<Trx>): boolean =>
    delay.isLate(since) || clock() - since > limits.timeoutMilliseconds;

  /** Rejects what has waited for too long; jobs are in the order of their arrival. */
  const refuseLate = (jobs: readonly Job<Trx>[]): readonly Job<Trx>[] => {
    const inTime = jobs.findIndex((job) => !isLate(job));
    const late = jobs.slice(0, inTime < 0 ? jobs.length : inTime);
    for (const job of late) job.fail(unavailable(new Error('The change waited for too long')));
    return jobs.slice(late.length);
  };

  /** What comes behind others that have waited for too long is refused at once. */
  const requireMoving = ([oldest]: readonly Job<Trx>[]): void => {
    if (oldest === undefined || !isLate(oldest)) return;
    throw unavailable(new Error('Changes have waited for too long'));
  };

  const waitOf = ([oldest]: readonly Job<Trx>[]): number =>
    oldest === undefined ? 0 : clock() - oldest.since;

  /** How many of the jobs the next transaction takes. */
  const groupSize = (jobs: readonly Job<Trx>[]): number => {
    const at = jobs.findIndex(({ alone }) => alone);
    return at === -1 ? limits.group : Math.min(Math.max(at, 1), limits.group);
  };

  const drain = async (): Promise<void> => {
    running += 1;
    // Those that arrive together go together.
    if (sharing !== undefined) await setImmediate();
    while (waiting.length > 0) {
      delay.observe(waitOf(waiting));
      const inTime = refuseLate(waiting);
      const size = groupSize(inTime);
      waiting = inTime.slice(size);
      if (waiting.length === 0) delay.observe(0);
      await commit(inTime.slice(0, size).sort(byOrder));
    }
    running -= 1;
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
      requireMoving(waiting);
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
      if (running < most) void drain();
    });

  return Object.assign(
    <Result>(work: (trx: Trx) => Promise<Result>, order = '') => enqueue(work, order, false),
    { alone: <Result>(work: (trx: Trx) => Promise<Result>) => enqueue(work, '', true) },
  );
};
