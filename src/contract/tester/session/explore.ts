/** Tries arbitrary values until one shows something wrong, and looks for the shortest that shows the same. */

import fc from 'fast-check';
import { type Finding, keyOf, type Session } from './session';

/** The values to try. */
interface Exploration<Value> {
  /** Tells the random numbers of this exploration from those of others. */
  readonly label: string;
  readonly arbitrary: fc.Arbitrary<Value>;
  readonly runs: number;
  /** Resolves to what is wrong; undefined where the value is of no use for the test. */
  readonly attempt: (value: Value) => Promise<readonly Finding[] | undefined>;
}

/** Further values that are tried after the first failing one. */
const MOST_SHRINKING = 120;
/** The number of searches for other findings. */
const MOST_ROUNDS = 6;
/** Values of no use, for each that is of use. */
const MOST_SKIPS = 20;

/** One round: the finding of the shortest value, or undefined. */
const explorationRound = async <Value>(
  session: Session,
  { label, arbitrary, runs, attempt }: Exploration<Value>,
  round: number,
): Promise<Finding | undefined> => {
  let last: Finding | undefined;
  let left = MOST_SHRINKING;
  const isFine = async (value: Value): Promise<boolean> => {
    if (session.isOver || left <= 0) return true;
    if (last !== undefined) left -= 1;
    const findings = await attempt(value);
    fc.pre(findings !== undefined);
    const hit = findings.find((finding) =>
      last === undefined ? session.isNew(finding) : keyOf(finding) === keyOf(last),
    );
    last = hit ?? last;
    return hit === undefined;
  };
  await fc.check(fc.asyncProperty(arbitrary, isFine), {
    seed: session.seedOf(label, round),
    numRuns: runs,
    maxSkipsPerRun: MOST_SKIPS,
    endOnFailure: !session.options.shrink,
  });
  return last;
};

/** Tries values and reports what is found, each finding by its shortest value. */
export const explore = async <Value>(
  session: Session,
  exploration: Exploration<Value>,
): Promise<void> => {
  for (let round = 0; round < MOST_ROUNDS && !session.isOver; round += 1) {
    const finding = await explorationRound(session, exploration, round);
    if (finding === undefined) return;
    session.report(finding);
  }
};
