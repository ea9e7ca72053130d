/** `npm run conformance [-- --against NAME…] [--json]`: runs the cases against servers, and counts those that hold. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runMain } from '../machine/run-main';
import { type Case, readCases, readRules } from './cases';
import { ourEngine } from './ours';
import { type Result, runCases, type Subject, startAdapter } from './run-cases';

const headings = readRules().matchAll(/^## (.*)\n\n- ([A-Z])/gm);

/** The titles of groups by the letters of their rules, from the first heading of each. */
const groups = new Map(
  [...headings].reverse().map(([, title = '', letter = '']) => [letter, title] as const),
);

const countOf = (results: readonly Result[]): string =>
  ['passed', 'failed', 'cannot be said']
    .map((verdict) => results.filter((result) => result.verdict === verdict).length)
    .join(' / ');

/** A table in Markdown: a column for each server, a row for each group, and one for the cases that are choices. */
const tableOf = (columns: ReadonlyMap<string, readonly Result[]>): string => {
  const rowOf = (title: string, isIn: (one: Case) => boolean): string => {
    const cells = [...columns.values()].map((results) =>
      countOf(results.filter((result) => isIn(result.case))),
    );
    return `| ${[title, ...cells].join(' | ')} |`;
  };
  const rows = [...groups]
    .reverse()
    .map(([letter, title]) =>
      rowOf(`${letter} ${title}`, ({ rule, choice }) => rule.startsWith(letter) && !choice),
    );
  return [
    `| passed / failed / cannot be said | ${[...columns.keys()].join(' | ')} |`,
    `|---|${'--:|'.repeat(columns.size)}`,
    ...rows,
    rowOf('all of these', ({ choice }) => !choice),
    rowOf('choices', ({ choice }) => choice === true),
    '',
  ].join('\n');
};

const peers = join(__dirname, 'peers');

/** Starts a peer that has an adapter here, or an adapter that is a file. */
const subjectOf = async (name: string): Promise<Subject> => {
  if (name === 'ours') return ourEngine();
  if (name.includes('/')) return startAdapter(name);
  if (!existsSync(join(peers, 'node_modules')))
    throw new Error('Run `npm ci --prefix scripts/conformance/peers` first.');
  return startAdapter(join(peers, `${name}.cjs`));
};

runMain(async () => {
  const { values } = parseArgs({
    options: {
      against: { type: 'string', multiple: true, default: ['ours'] },
      json: { type: 'boolean', default: false },
    },
  });
  const columns = new Map<string, readonly Result[]>();
  for (const name of values.against) {
    const subject = await subjectOf(name);
    columns.set(subject.server, await runCases(subject, readCases()));
    subject.stop();
  }
  const lines = [...columns].flatMap(([server, all]) =>
    all.map(({ case: { id, rule, title, choice = false }, verdict, reasons }) => {
      return `${JSON.stringify({ server, id, rule, title, choice, verdict, reasons })}\n`;
    }),
  );
  process.stdout.write(values.json ? lines.join('') : tableOf(columns));
  return [...columns.values()].flat().some(({ verdict }) => verdict === 'failed') ? 1 : 0;
});
