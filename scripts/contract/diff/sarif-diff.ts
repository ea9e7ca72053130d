/** A comparison for code scanning. */

import { type Cause, causesOf, diffRules } from '../../../src/contract';
import { ruleDescriptions } from '../../../src/engine';
import { type SarifFinding, sarifLog } from '../sarif-log';
import { problemResult } from '../sarif-report';
import { type DiffReport, operationsOf } from './diff-report';

const levels = { breaking: 'error', warning: 'warning', compatible: 'note' } as const;

const findingOf = (cause: Cause): SarifFinding => {
  const { severity, message, ...change } = cause.change;
  return {
    ...change,
    level: levels[severity],
    message: `${operationsOf(cause)}, ${cause.sides.join(', ')}: ${message}`,
  };
};

const sentences: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(diffRules).map(([id, { sentence }]) => [
    id,
    `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.`,
  ]),
);

export const sarifDiff = ({ changes, problems }: DiffReport): string => {
  const files = new Set([...problems, ...changes].map(({ file }) => file));
  return sarifLog([...files], { ...ruleDescriptions, ...sentences }, [
    ...problems.map(problemResult),
    ...causesOf(changes).map(findingOf),
  ]);
};
