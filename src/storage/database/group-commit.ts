/**
 * Group commit: a process has one transaction at a time. Changes that arrive while the disk is busy share the next one, and with it
 * the one wait for the disk. A change that arrives alone does not wait. On PostgreSQL, adding takes the lock of a counter, so that
 * several transactions would wait for each other; with three of them 64 connections placed half as many orders.
 */

import { gathered, Skipped } from '../connections/database-driver';
import {
  classifyError,
  DatabaseUnavailable,
  databaseUnavailable,
} from '../connections/database-errors';
import { queueLoad, type Watch } from '../connections/load';

/** The transactions that changes share. */
export interface Transactions<Shared, Trx> {
  /** Runs the work in one transaction. The work may be done more than once. */
  run<Result>(work: (shared: Shared) => Promise<Result>): Promise<Result>;
  /** Makes the transaction as one change sees it, whose errors in statements that it does not wait for are mapped by `failureOf`. */
  viewOf(shared: Shared, failureOf: (error: unknown) => unknown): Trx;
  readonly watch?: Watch | undefined;
}

/** Bounds of sharing and of waiting. */
export interface GroupLimits {
  /** Changes in one transaction. */
  readonly group: number;
  /** Changes that wait for their transaction; more are refused. */
  readonly waiting: number;
  /** Milliseconds. A change that has waited longer when its turn comes is refused. */
  readonly milliseconds: number;
}

interface Change<Trx> {
  readonly lock: string;
  /** The time of its arrival; milliseconds of the clock. */
  readonly since: number;
  /** Does the work; the result resolves the caller's promise, to be called after the commit. */
  run(trx: Trx): Promise<() => void>;
  fail(error: unknown): void;
}

class ChangeFailed<Trx> extends Error {
  readonly change: Change<Trx>;

  constructor(change: Change<Trx>, cause: unknown) {
    super('One of several changes failed', { cause });
    this.change = change;
  }
}

/** Makes the error of a change. A failure of the database concerns all, except for a blocked statement, which the others do not run. */
const failureOf = <Trx>(change: Change<Trx>, error: unknown): unknown => {
  if (error instanceof Skipped) return error;
  const kind = classifyError(error);
  if (kind === 'blocked') return new ChangeFailed(change, databaseUnavailable(error));
  return kind === undefined ? new ChangeFailed(change, error) : error;
};

/**
 * Sorts changes into rounds: no two of a round have the same lock, so that they go side by side. One without a lock has a round to
 * itself.
 */
const roundsOf = <Trx>(changes: readonly Change<Trx>[]): Change<Trx>[][] => {
  const rounds = changes.filter(({ lock }) => lock === '').map((change) => [change]);
  const first = rounds.length;
  const nextRounds = new Map<string, number>();
  for (const change of changes) {
    if (change.lock === '') continue;
    const at = nextRounds.get(change.lock) ?? first;
    nextRounds.set(change.lock, at + 1);
    rounds[at] = [...(rounds[at] ?? []), change];
  }
  return rounds;
};

/** Gives the results, or throws what failed first; either way when nothing is under way any more. */
const allOrFirstFailure = async <Result>(works: readonly Promise<Result>[]): Promise<Result[]> => {
  const outcomes = await Promise.allSettled(works);
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  );
  if (failures.length === 0) return Promise.all(works);
  const [first] = failures;
  throw failures.find((error) => !(error instanceof Skipped)) ?? first.cause;
};

const waitedTooLong = (message: string): DatabaseUnavailable =>
  databaseUnavailable(Object.assign(new Error(message), { code: 'WAITED_TOO_LONG' }));

/** Makes the one queue of changes in front of a database; what it gives runs work in a transaction that it may share. */
export const groupCommit = <Shared, Trx>(
  { run, viewOf, watch }: Transactions<Shared, Trx>,
  limits: GroupLimits = { group: 128, waiting: 4096, milliseconds: 5000 },
  clock: () => number = () => performance.now(),
) => {
  let waiting: Change<Trx>[] = [];
  let isRunning = false;
  watch?.('changes', () => queueLoad(waiting, clock()));

  /** Does the changes in one transaction, those of a round side by side. */
  const commit = async (changes: readonly Change<Trx>[]): Promise<void> => {
    try {
      const resolvers = await run(async (shared) => {
        const all: (() => void)[] = [];
        for (const round of roundsOf(changes)) {
          const runs = round.map((change) =>
            change.run(viewOf(shared, (error) => failureOf(change, error))),
          );
          all.push(...(await allOrFirstFailure(runs)));
        }
        return all;
      });
      for (const resolve of resolvers) resolve();
    } catch (error) {
      if (error instanceof ChangeFailed) await commitAround(changes, error);
      else for (const change of changes) change.fail(error);
    }
  };

  /** The failed change runs by itself, between those before it and those after it, which share a transaction each. */
  const commitAround = async (
    changes: readonly Change<Trx>[],
    { change, cause }: ChangeFailed<Trx>,
  ): Promise<void> => {
    const at = changes.indexOf(change);
    const [before, after] = [changes.slice(0, at), changes.slice(at + 1)];
    if (before.length > 0) await commit(before);
    if (changes.length === 1 || cause instanceof DatabaseUnavailable) change.fail(cause);
    else await commit([change]);
    if (after.length > 0) await commit(after);
  };

  const isLate = ({ since }: Change<Trx>): boolean => clock() - since > limits.milliseconds;

  const drain = async (): Promise<void> => {
    isRunning = true;
    await gathered();
    while (waiting.length > 0) {
      const late = waiting.filter(isLate);
      for (const { fail } of late) fail(waitedTooLong('The change waited for too long'));
      const next = waiting.slice(late.length, late.length + limits.group);
      waiting = waiting.slice(late.length + limits.group);
      next.sort((one, other) => (one.lock < other.lock ? -1 : Number(one.lock > other.lock)));
      await commit(next);
    }
    isRunning = false;
  };

  const requireRoom = (): void => {
    const [oldest] = waiting;
    if (waiting.length >= limits.waiting) {
      throw databaseUnavailable(new Error(`${limits.waiting} changes are waiting`));
    }
    if (oldest !== undefined && isLate(oldest)) {
      throw waitedTooLong('Changes have waited for too long');
    }
  };

  return <Result>(work: (trx: Trx) => Promise<Result>, lock = ''): Promise<Result> =>
    new Promise((resolve, reject) => {
      requireRoom();
      const change: Change<Trx> = {
        lock,
        since: clock(),
        fail: reject,
        async run(trx) {
          try {
            const result = await work(trx);
            return () => resolve(result);
          } catch (error) {
            throw failureOf(change, error);
          }
        },
      };
      waiting.push(change);
      if (!isRunning) void drain();
    });
};
