/** A short account of an edit: which operations came, went and changed, and what that means for clients. */

import { type Cause, type Change, causesOf, diffDocuments, listedNames } from '../../src/contract';
import { describeDiagnostic, printable } from '../../src/engine';
import type { App } from '../../src/server/app';

/** Changes beyond these are counted. */
const most = 20;

const changeLine = ({ change, changes }: Cause): string => {
  const { severity, file, line, column, message } = change;
  const operations = listedNames(changes.flatMap(({ operation }) => operation ?? []));
  const inThem = operations === '' ? '' : ` (${operations})`;
  return `  ${severity}: ${file}:${line}:${column} ${message}${inThem}`;
};

/** The changes as lines, the worst first. */
export const accountOf = (changes: readonly Change[]): readonly string[] => {
  const lines = causesOf(changes).map(changeLine);
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), `  and ${more} more`] : lines;
};

/** What an application serves, as far as an account of it tells. */
export type AccountedApp = Pick<App, 'documents' | 'problems' | 'handlerFindings'>;

const newIn = (before: readonly string[], now: readonly string[]): readonly string[] =>
  now.filter((line) => !before.includes(line));

const documentLines = (old: AccountedApp, now: AccountedApp): readonly string[] => {
  const namesOf = ({ documents }: AccountedApp) => documents.map(({ name }) => name);
  const isIn = (names: readonly string[]) => (name: string) => names.includes(name);
  const [before, after] = [namesOf(old), namesOf(now)];
  return [
    ...before.filter((name) => !isIn(after)(name)).map((name) => `${name}: no longer served`),
    ...now.documents.flatMap((document) => {
      const { name, basePath, operations, text } = document;
      const past = old.documents.find((one) => one.name === name);
      if (past === undefined) {
        return [`${name}: served at ${basePath || '/'} (${operations.length} operations)`];
      }
      if (past.text === text && past.basePath === basePath) return [];
      const moved = past.basePath === basePath ? '' : `, now at ${basePath || '/'}`;
      return [`${name}: changed${moved}`, ...accountOf(diffDocuments(past, document))];
    }),
  ];
};

/** What there is to say when one application has taken the place of another. */
export const accountLines = (old: AccountedApp, now: AccountedApp): readonly string[] => {
  const findings = ({ handlerFindings }: AccountedApp) =>
    handlerFindings.map(({ message }) => message);
  // Problems move with the lines; what they say stays.
  const said = ({ problems }: AccountedApp) => problems.map(({ message }) => message);
  const newProblems = newIn(said(old), said(now));
  return [
    ...documentLines(old, now),
    ...now.problems.filter(({ message }) => newProblems.includes(message)).map(describeDiagnostic),
    ...newIn(findings(old), findings(now)),
  ].map(printable);
};
