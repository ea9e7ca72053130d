/** The outcome of one request. */

import type { CheckedAnswer } from '../checks/check-answer';
import type { SentRequest } from '../exchange/http-client';
import type { Problem } from '../rules';

/** A request, its answer, and the problems of the answer. */
export interface Outcome {
  readonly sent: SentRequest;
  readonly checked: CheckedAnswer;
}

/** The outcome with those of its problems that count. */
export const withProblems = (
  { sent, checked }: Outcome,
  counts: (problem: Problem) => boolean,
): Outcome => ({ sent, checked: { ...checked, problems: checked.problems.filter(counts) } });

/** Tells whether an answer is a success. */
export const isSuccess = (outcome: Outcome | undefined): outcome is Outcome => {
  const status = outcome?.checked.status ?? 0;
  return status >= 200 && status < 300;
};
