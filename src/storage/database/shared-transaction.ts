/** Several changes in one transaction: one after the other, or side by side. */

/** A change that waits for its transaction. */
export interface Job<Trx> {
  readonly order: string;
  /** Whether it shares its transaction with no other. */
  readonly alone: boolean;
  /** When it arrived; milliseconds of the clock. */
  readonly since: number;
  /** Does the work; the result resolves the caller's promise, to be called after the commit. */
  run(trx: Trx): Promise<() => void>;
  fail(error: unknown): void;
}

/** How changes share one transaction; where it is not said, one after the other. */
export interface Sharing<Trx> {
  /** How many transactions there may be at the same time. */
  readonly transactions: number;
  /** The transaction as one of the changes sees it; `failure` makes what is thrown of what it has left for later. */
  part(trx: Trx, failure: (error: unknown) => unknown): Trx;
  /** Does what a change has left for later. */
  flush(part: Trx): Promise<void>;
}

/** The results, or what failed first; either way when nothing is under way any more. */
const allOrFirstFailure = async <Result>(works: readonly Promise<Result>[]): Promise<Result[]> => {
  try {
    return await Promise.all(works);
  } finally {
    await Promise.allSettled(works);
  }
};

/**
 * Changes in rounds: in each no two lock the same, so that they go side by side. One that does not say what it locks has a round to
 * itself.
 */
const roundsOf = <Trx>(jobs: readonly Job<Trx>[]): Job<Trx>[][] => {
  const rounds: Job<Trx>[][] = jobs.filter(({ order }) => order === '').map((job) => [job]);
  const nextRounds = new Map<string, number>();
  const first = rounds.length;
  for (const job of jobs.filter(({ order }) => order !== '')) {
    const at = nextRounds.get(job.order) ?? first;
    nextRounds.set(job.order, at + 1);
    rounds[at] = [...(rounds[at] ?? []), job];
  }
  return rounds;
};

/** Does the changes one after the other; what resolves their callers is given. */
export const runInTurn = async <Trx>(
  trx: Trx,
  jobs: readonly Job<Trx>[],
): Promise<(() => void)[]> => {
  const resolvers: (() => void)[] = [];
  for (const job of jobs) resolvers.push(await job.run(trx));
  return resolvers;
};

/**
 * Does the changes side by side as far as they lock different things, so that their statements are sent together. What those of the
 * last round leave for later is done with the commit.
 *
 * @param failureOf - makes what is thrown of what a change's later statements throw
 */
export const runInRounds = async <Trx>(
  trx: Trx,
  jobs: readonly Job<Trx>[],
  { part, flush }: Sharing<Trx>,
  failureOf: (job: Job<Trx>, error: unknown) => unknown,
): Promise<(() => void)[]> => {
  const resolvers: (() => void)[] = [];
  const rounds = roundsOf(jobs);
  const last = rounds.pop() ?? [];
  const run = async (round: readonly Job<Trx>[]): Promise<readonly Trx[]> => {
    const parts = round.map((job) => part(trx, (error) => failureOf(job, error)));
    const runs = round.map((job, at) => job.run(parts[at] ?? trx));
    resolvers.push(...(await allOrFirstFailure(runs)));
    return parts;
  };
  for (const round of rounds) await Promise.all((await run(round)).map(flush));
  await run(last);
  return resolvers;
};
