/** The report of a comparison, and a short account of it: an edit of a shared part touches many operations, and is one entry with all of them. */

import { groupBy } from '../../base/group-by';
import { escapeMarkdown } from '../../base/text/markdown-text';
import {
  type Diagnostic,
  describeDiagnostic,
  ruleDescriptions,
} from '../../document/diagnostics/diagnostic';
import type { ApiDocument } from '../../engine';
import { requestMethod } from '../../model/operation';
import { diffDocuments } from '../diff/diff-documents';
import { type Change, capitalized } from '../diff/place-changes';
import { diffRules, type Severity, type Side } from '../diff/rules/rules';
import { problemFields, problemFinding } from './check-report';
import { JsonText, jsonReport } from './formats/json';
import { type JunitCase, type JunitSuite, junitReport } from './formats/junit';
import { type SarifFinding, sarifReport } from './formats/sarif';
import { alignedRows, counted, markdownReport, markdownTable, textReport } from './formats/text';

/** The severity from which a comparison fails. */
export type FailOn = 'breaking' | 'warning' | 'any' | 'none';

/** The changes of all compared documents. */
export interface DiffReport {
  readonly changes: readonly Change[];
  /** The errors of the compared documents: they may hide changes. */
  readonly problems: readonly Diagnostic[];
  readonly failOn: FailOn;
}

const severities: readonly Severity[] = ['breaking', 'warning', 'compatible'];

/** Tells whether a change fails the comparison. */
export const isFailing = ({ severity }: Change, failOn: FailOn): boolean =>
  severities.indexOf(severity) < { none: 0, breaking: 1, warning: 2, any: 3 }[failOn];

/** One edit of a document. It weighs as much as for the operations that it hurts most. */
export interface Cause {
  /** The first of the changes that the edit makes at that severity. */
  readonly change: Change;
  readonly sides: readonly Side[];
  /** All changes that it makes at that severity, one for each operation and side. */
  readonly changes: readonly Change[];
}

const worstFirst = (one: Change, other: Change): number =>
  severities.indexOf(one.severity) - severities.indexOf(other.severity);

/** Gives the causes of changes, the worst first; else in the order in which they are given. */
export const causesOf = (changes: readonly Change[]): readonly Cause[] => {
  const byPlace = groupBy(changes, ({ file, line, column, message }) =>
    JSON.stringify([file, line, column, message]),
  );
  const causes = [...byPlace.values()].flatMap((shared): readonly Cause[] => {
    const [worst] = shared.toSorted(worstFirst);
    if (worst === undefined) return [];
    const alike = shared.filter(({ severity }) => severity === worst.severity);
    return [{ change: worst, sides: [...new Set(alike.map(({ side }) => side))], changes: alike }];
  });
  return causes.toSorted((one, other) => worstFirst(one.change, other.change));
};

/** Names beyond these are counted. */
const MOST_NAMES = 4;

/** Lists different names in their order: `a, b, c, d and 2 more`. */
export const listedNames = (listed: readonly string[]): string => {
  const names = [...new Set(listed)];
  const more = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
};

const severityCounts = (causes: readonly Cause[]): readonly number[] =>
  severities.map((severity) => causes.filter(({ change }) => change.severity === severity).length);

/** `1 breaking change, 0 warnings, 2 compatible changes`, after the errors of the documents where they have some. */
const summaryOf = ({ problems }: DiffReport, causes: readonly Cause[]): string => {
  const nouns = ['breaking change', 'warning', 'compatible change'];
  return [
    ...(problems.length === 0 ? [] : [counted(problems.length, 'error')]),
    ...severityCounts(causes).map((count, index) => counted(count, nouns[index] ?? '')),
  ].join(', ');
};

/** `GET /things (listThings)`, or `The whole document`. */
const operationTitle = ({ operation, method, path }: Change): string => {
  if (method === null || path === null) return 'The whole document';
  const name = `${requestMethod(method)} ${path}`;
  return operation === null ? name : `${name} (${operation})`;
};

const operationsOf = ({ changes }: Cause): string => listedNames(changes.map(operationTitle));

/** Up to so many causes are seen at a glance. */
const AT_A_GLANCE = 20;

/** Counts many causes by their rules: a head, then the rule with the most causes first. Empty for few. */
const ruleTable = (causes: readonly Cause[]): readonly (readonly string[])[] => {
  if (causes.length <= AT_A_GLANCE) return [];
  const byRule = [...groupBy(causes, ({ change }) => change.rule)];
  const rows = byRule.toSorted(([, one], [, other]) => other.length - one.length);
  return [
    ['rule', ...severities],
    ...rows.map(([rule, mine]) => [rule, ...severityCounts(mine).map(String)]),
  ];
};

const text = (report: DiffReport): string => {
  const causes = causesOf(report.changes);
  const entries = causes.flatMap((cause) => {
    const { file, line, column, severity, rule, message } = cause.change;
    return [
      `${file}:${line}:${column} ${severity} (${cause.sides.join(', ')}) ${rule}: ${message}`,
      `  ${operationsOf(cause)}`,
    ];
  });
  return textReport([
    ...report.problems.map(describeDiagnostic),
    ...entries,
    ...alignedRows(ruleTable(causes)),
    summaryOf(report, causes),
  ]);
};

/** Lines and columns count from 1, columns in UTF-16 units; `was` and `now` are values as they stand in the documents, or words. */
const json = ({ changes, problems }: DiffReport): string => {
  const exact = (value: string | null) => (value === null ? null : new JsonText(value));
  return jsonReport({
    breaking: changes.some(({ severity }) => severity === 'breaking'),
    problems: problems.map(problemFields),
    changes: changes.map(({ was, now, ...change }) => ({
      ...change,
      was: exact(was),
      now: exact(now),
    })),
  });
};

const markdown = (report: DiffReport): string => {
  const causes = causesOf(report.changes);
  const rows = causes.map((cause) => {
    const { severity, message, rule, file, line } = cause.change;
    return [
      severity === 'breaking' ? '**breaking**' : severity,
      cause.sides.join(', '),
      escapeMarkdown(message),
      escapeMarkdown(operationsOf(cause)),
      rule,
      `${escapeMarkdown(file)}:${line}`,
    ];
  });
  const head = ['Severity', 'Side', 'Change', 'Operations', 'Rule', 'Place'];
  const problems = report.problems.map(
    (problem) => `- ${escapeMarkdown(describeDiagnostic(problem))}`,
  );
  return markdownReport(
    ['## Changes of the contract'],
    [`${summaryOf(report, causes)}.`],
    // Errors may hide changes, so that they come first.
    problems.length > 0 ? ['### Errors of the documents'] : [],
    problems,
    markdownTable(rows.length > 0 ? [head, ...rows] : []),
    markdownTable(ruleTable(causes)),
  );
};

/** A case for each change, by operation, the worst of each first; a change fails where it fails the comparison. */
const junit = ({ changes, problems, failOn }: DiffReport): string => {
  const byOperation = [...groupBy(changes, operationTitle)].map(([name, group]): JunitSuite => {
    const cases = group.toSorted(worstFirst).map((change): JunitCase => {
      const { rule, severity, side, pointer, message, file, line, column } = change;
      const text = `${file}:${line}:${column} ${severity}: ${message}`;
      const failure = { kind: 'failure', type: rule, message, text } as const;
      const isFailure = isFailing(change, failOn);
      const outcome = isFailure ? { problems: [failure] } : { problems: [], output: text };
      return { name: `${rule} ${pointer} (${side})`, ...outcome };
    });
    return { name, cases };
  });
  const documentCases = problems.map((problem): JunitCase => {
    const { rule: type, pointer, message } = problem;
    const error = { kind: 'error', type, message, text: describeDiagnostic(problem) } as const;
    return { name: `${type} ${pointer}`, problems: [error] };
  });
  const documents = { name: 'documents', cases: documentCases };
  const suites = [...(problems.length > 0 ? [documents] : []), ...byOperation];
  // Many readers take a report without a test case for a broken one.
  const unchanged = { name: 'spec-first diff', cases: [{ name: 'no changes', problems: [] }] };
  return junitReport('spec-first diff', suites.length > 0 ? suites : [unchanged]);
};

const sarif = ({ changes, problems }: DiffReport): string => {
  const rules: Record<string, string> = { ...ruleDescriptions };
  for (const [id, { sentence }] of Object.entries(diffRules))
    rules[id] = `${capitalized(sentence)}.`;
  const files = new Set([...problems, ...changes].map(({ file }) => file));
  const levels = { breaking: 'error', warning: 'warning', compatible: 'note' } as const;
  const findings = causesOf(changes).map((cause): SarifFinding => {
    const { severity, message, ...change } = cause.change;
    const sentence = `${operationsOf(cause)}, ${cause.sides.join(', ')}: ${message}`;
    return { ...change, level: levels[severity], message: sentence };
  });
  return sarifReport([...files], rules, [...problems.map(problemFinding), ...findings]);
};

/** The formats of the report: functions that write it, by their names. */
export const diffFormats = { text, json, markdown, junit, sarif } as const;

/** The changes as lines, the worst first. */
export const accountOf = (changes: readonly Change[]): readonly string[] => {
  const lines = causesOf(changes).map(({ change, changes: alike }) => {
    const { severity, file, line, column, message } = change;
    const operations = listedNames(alike.flatMap(({ operation }) => operation ?? []));
    return `  ${severity}: ${file}:${line}:${column} ${message}${operations && ` (${operations})`}`;
  });
  const more = lines.length - AT_A_GLANCE;
  return more > 0 ? [...lines.slice(0, AT_A_GLANCE), `  and ${more} more`] : lines;
};

/** A definition without the texts for its readers. */
const withoutTexts = ({ definition }: ApiDocument): string =>
  JSON.stringify(definition, (key, value: unknown) => {
    const isText = key === 'description' || key === 'summary' || key === 'title';
    if (isText && typeof value === 'string') return undefined;
    return typeof value === 'bigint' ? String(value) : value;
  });

/** Writes the lines about a document that has replaced another version of it; none where both are the same. */
export const editAccount = (past: ApiDocument, now: ApiDocument): readonly string[] => {
  const { name, basePath, text } = now;
  if (past.text === text && past.basePath === basePath) return [];
  const moved = past.basePath === basePath ? '' : `, now at ${basePath || '/'}`;
  const changes = accountOf(diffDocuments(past, now));
  const isSame = changes.length === 0 && withoutTexts(past) === withoutTexts(now);
  return [`${name}: changed${moved}${isSame ? ', texts only' : ''}`, ...changes];
};
