/** The rules of conformance, as rules.md lists them, and the tests that name them in their titles. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A testable sentence with an id. */
export interface Rule {
  readonly id: string;
  readonly line: string;
}

const text = readFileSync(join(__dirname, 'rules.md'), 'utf8');

/** All rules in the order of the file. */
export const rules: readonly Rule[] = [...text.matchAll(/^- ([A-Z]\d\d) (.+)$/gm)].map(
  ([, id = '', line = '']) => ({ id, line }),
);

/** One test as Jest reports it. */
export interface TestResult {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
}

/** A rule and its tests. */
export interface RuleCount extends Rule {
  readonly passed: number;
  readonly failed: number;
}

/** The ids at the beginning of a title: `P01 P15 defaults …` names two. */
const idsOf = (title: string): readonly string[] =>
  (/^(?:[XPBFSRDVW]\d\d ?)+/.exec(title)?.[0] ?? '').trim().split(' ');

/** Counts the tests of each rule; a title counts for its own ids and for those of the groups around it. */
export const countByRule = (
  rules: readonly Rule[],
  results: readonly TestResult[],
): readonly RuleCount[] => {
  const statuses = new Map<string, string[]>(rules.map(({ id }) => [id, []]));
  for (const { ancestorTitles, title, status } of results) {
    const ids = new Set([...ancestorTitles, title].flatMap(idsOf));
    for (const id of ids) statuses.get(id)?.push(status);
  }
  return rules.map((rule) => {
    const own = statuses.get(rule.id) ?? [];
    const passed = own.filter((status) => status === 'passed').length;
    const failed = own.filter((status) => status === 'failed').length;
    return { ...rule, passed, failed };
  });
};

const verdict = ({ passed, failed }: RuleCount): string => {
  if (failed > 0) return `FAILS ${failed}`;
  return passed > 0 ? 'passes' : 'NO TEST';
};

/** One line a rule: id, verdict, number of tests, text; a total at the end. */
export const printTable = (counts: readonly RuleCount[]): string => {
  const lines = counts.map(
    (count) =>
      `${count.id}  ${verdict(count).padEnd(8)} ${String(count.passed + count.failed).padStart(4)}  ${count.line}`,
  );
  const holding = counts.filter(({ passed, failed }) => passed > 0 && failed === 0).length;
  return `${lines.join('\n')}\n${holding} of ${counts.length} rules hold\n`;
};
