/** A comparison for code scanning. */

import { type Change, diffRules } from '../../../src/contract';
import { ruleDescriptions } from '../../../src/engine';
import { type SarifFinding, sarifLog } from '../sarif-log';
import { problemResult } from '../sarif-report';
import { type DiffReport, titleOf } from './diff-report';

const levels = { breaking: 'error', warning: 'warning', compatible: 'note' } as const;

const findingOf = (change: Change): SarifFinding => ({
  rule: change.rule,
  level: levels[change.severity],
  message: `${titleOf(change)}, ${change.side}: ${change.message}`,
  file: change.file,
  line: change.line,
  column: change.column,
  pointer: change.pointer,
});

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
    ...changes.map(findingOf),
  ]);
};
