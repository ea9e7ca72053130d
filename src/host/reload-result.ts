/** Compares the documents before and after a reload: those not taken up, those mended, and operations that need fewer credentials. */

import { isDeepStrictEqual } from 'node:util';
import { newErrors } from '../document/diagnostics/diagnostic';
import { type Operation, requestMethod, type SecurityRequirement } from '../model/operation';
import { type DocumentState, problemLines, type ServedState } from './documents';

/** The outcome of a reload; lines that a person reads. */
export interface ReloadResult {
  readonly version: string;
  /** Documents that were not taken up, each with its place and the reason; the others are served. */
  readonly refused: readonly string[];
  readonly mended: readonly string[];
  readonly weakened: readonly string[];
}

/** Tells whether the file of a document is served as it is, as far as its errors let it. */
export const isTakenUp = ({ state }: DocumentState): boolean =>
  state === 'current' || state === 'faulty';

/** Gives the sentence about a state with a fault. */
export const stateFault = (state: ServedState): string | undefined =>
  ({
    current: undefined,
    faulty: 'has errors; the operations that they touch are not served',
    kept: 'has errors and was not taken up; its last good version is served',
    unserved: 'is not served',
  })[state];

/** Finds the documents that an edit has kept from being taken up, or that have another reason for it than before. */
export const newlyRefused = (
  before: readonly DocumentState[],
  now: readonly DocumentState[],
): readonly DocumentState[] =>
  now.filter((state) => {
    const past = before.find(({ file }) => file === state.file)?.refused ?? [];
    return state.refused.length > 0 && !isDeepStrictEqual(past, state.refused);
  });

const refusedLines = (now: DocumentState, before: DocumentState | undefined): readonly string[] => {
  const added = newErrors(before?.problems ?? [], now.problems);
  const problems = isTakenUp(now) ? added : now.refused;
  return isTakenUp(now) && added.length === 0
    ? []
    : [...problemLines(problems), `${now.file} ${stateFault(now.state)}`];
};

/** Gives the alternatives that a caller may meet; without security, one that requires nothing. */
const alternatives = ({ security }: Operation): readonly SecurityRequirement[] =>
  security.length === 0 ? [{}] : security;

const meets = (given: SecurityRequirement, required: SecurityRequirement): boolean =>
  Object.entries(required).every(([scheme, scopes]) => {
    const has = given[scheme];
    return has !== undefined && scopes.every((scope) => has.includes(scope));
  });

/** Ranks the rule about logins: nothing, any login, or that of one account. */
const loginRank = ({ loggedInUser }: Operation): number =>
  loggedInUser?.required !== true ? 0 : loggedInUser.parameter === undefined ? 1 : 2;

const needsLess = (before: Operation, now: Operation): boolean =>
  loginRank(now) < loginRank(before) ||
  alternatives(now).some(
    (given) => !alternatives(before).some((alternative) => meets(given, alternative)),
  );

const weakenedOperations = (before: DocumentState, now: DocumentState): readonly string[] => {
  // Of several with the same id the first counts.
  const past = before.document?.operations.toReversed() ?? [];
  const placeOf = ({ method, path }: Operation): string => `${method} ${path}`;
  const byPlace = new Map(past.map((operation) => [placeOf(operation), operation]));
  const byId = new Map(past.map((operation) => [operation.operationId, operation]));
  return (now.document?.operations ?? []).flatMap((operation) => {
    const { method, path, operationId } = operation;
    const same = byPlace.get(placeOf(operation)) ?? byId.get(operationId);
    if (same === undefined || !needsLess(same, operation)) return [];
    return [`${now.name}: ${operationId} (${requestMethod(method)} ${path})`];
  });
};

/** Compares the states of the documents before a reload to those after it. */
export const compareStates = (
  served: readonly DocumentState[],
  states: readonly DocumentState[],
): Omit<ReloadResult, 'version'> => {
  const pairs = states.map((now) => [now, served.find(({ file }) => file === now.file)] as const);
  return {
    refused: pairs.flatMap(([now, before]) => refusedLines(now, before)),
    mended: [
      ...pairs.flatMap(([now, before]) =>
        before && !isTakenUp(before) && isTakenUp(now) ? [`${now.file} is mended, and served`] : [],
      ),
      ...served
        .filter((before) => !isTakenUp(before) && pairs.every(([now]) => now.file !== before.file))
        .map(({ file }) => `${file} is gone`),
    ],
    weakened: pairs.flatMap(([now, before]) => (before ? weakenedOperations(before, now) : [])),
  };
};
