/** The outcome of a comparison, as reports are made of it. */

import {
  type Cause,
  type Change,
  causesOf,
  listedNames,
  type Severity,
  severities,
} from '../../../src/contract';
import { type Diagnostic, groupBy } from '../../../src/engine';

/** From which severity on a comparison fails. */
export type FailOn = 'breaking' | 'warning' | 'any' | 'none';

/** The changes of all compared documents. */
export interface DiffReport {
  readonly changes: readonly Change[];
  /** The errors of the compared documents: they may hide changes. */
  readonly problems: readonly Diagnostic[];
  readonly failOn: FailOn;
}

const failing: Readonly<Record<FailOn, readonly Severity[]>> = {
  breaking: ['breaking'],
  warning: ['breaking', 'warning'],
  any: ['breaking', 'warning', 'compatible'],
  none: [],
};

/** Whether a change fails the comparison. */
export const isFailing = ({ severity }: Change, failOn: FailOn): boolean =>
  failing[failOn].includes(severity);

const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

const countsOf = (causes: readonly Cause[]): readonly number[] =>
  severities.map((severity) => causes.filter(({ change }) => change.severity === severity).length);

/** `1 breaking change, 0 warnings, 2 compatible changes`, after the errors of the documents where they have some. */
export const summaryOf = ({ changes, problems }: DiffReport): string => {
  const [breaking = 0, warnings = 0, compatible = 0] = countsOf(causesOf(changes));
  return [
    ...(problems.length === 0 ? [] : [counted(problems.length, 'error', 'errors')]),
    counted(breaking, 'breaking change', 'breaking changes'),
    counted(warnings, 'warning', 'warnings'),
    counted(compatible, 'compatible change', 'compatible changes'),
  ].join(', ');
};

/** The operation of a change as people call it: `GET /things (listThings)`, or `The whole document`. */
export const titleOf = ({ operation, method, path }: Change): string => {
  if (method === null || path === null) return 'The whole document';
  const name = `${method.toUpperCase()} ${path}`;
  return operation === null ? name : `${name} (${operation})`;
};

/** The operations that a cause touches, the first of them by name. */
export const operationsOf = ({ changes }: Cause): string => listedNames(changes.map(titleOf));

/** Up to so many causes are seen at a glance. */
const AT_A_GLANCE = 20;

/** A table that counts many causes by their rules: its head, then the rule with the most causes first. Empty for few. */
export const ruleTable = (causes: readonly Cause[]): readonly (readonly string[])[] => {
  if (causes.length <= AT_A_GLANCE) return [];
  const byRule = [...groupBy(causes, ({ change }) => change.rule)];
  const rows = byRule.toSorted(([, one], [, other]) => other.length - one.length);
  return [
    ['rule', ...severities],
    ...rows.map(([rule, mine]) => [rule, ...countsOf(mine).map(String)]),
  ];
};
