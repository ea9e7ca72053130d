/** Holds a document that was read again to its version that is served: errors that were there before are no reason to refuse it. */

import type { Diagnostic } from './diagnostic';

/** Removes from the second list, one for one, the entries that the first has by that key. */
const without = (
  known: readonly Diagnostic[],
  found: readonly Diagnostic[],
  keyOf: (one: Diagnostic) => string,
): readonly Diagnostic[] => {
  const keys = known.map(keyOf);
  return found.filter((one) => {
    const at = keys.indexOf(keyOf(one));
    if (at >= 0) keys.splice(at, 1);
    return at < 0;
  });
};

const sentence = ({ file, rule, message }: Diagnostic): string =>
  JSON.stringify([file, rule, message]);
const sentenceAndPlace = (one: Diagnostic): string => JSON.stringify([sentence(one), one.pointer]);

/** Gives the wanted problems, each after the one that it is a consequence of. */
export const withCauses = (
  problems: readonly Diagnostic[],
  wanted: readonly Diagnostic[],
): readonly Diagnostic[] => {
  const kept = new Set(wanted);
  let cause: Diagnostic | undefined;
  for (const problem of problems) {
    if (problem.follows !== true) cause = problem;
    else if (kept.has(problem) && cause !== undefined) kept.add(cause);
  }
  return problems.filter((problem) => kept.has(problem));
};

/** Finds the errors that the served version does not have, or has fewer of, each after the one that it is a consequence of. */
export const newErrors = (
  served: readonly Diagnostic[],
  read: readonly Diagnostic[],
): readonly Diagnostic[] => {
  const isError = ({ severity }: Diagnostic): boolean => severity === 'error';
  const [known, found] = [served.filter(isError), read.filter(isError)];
  // What moved to another place in a list says the same as before, and is no more than before.
  const gone = without(found, known, sentenceAndPlace);
  const added = without(gone, without(known, found, sentenceAndPlace), sentence);
  return withCauses(read, added);
};
