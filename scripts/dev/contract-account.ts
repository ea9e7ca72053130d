/** A short account of an edit: which operations came, went and changed, and what that means for clients. */

import { printable } from '../../src/base/text/printable';
import { type Cause, type Change, causesOf, diffDocuments, listedNames } from '../../src/contract';
import { describeAlike } from '../../src/document/diagnostics/diagnostic';
import type { ApiDocument } from '../../src/engine';
import type { ServingApp } from '../../src/server/app';

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

/** The parts of an application that an account mentions. */
export type AccountedApp = Pick<ServingApp, 'documents' | 'problems' | 'handlerFindings'>;

/** A definition without the texts for its readers. */
const withoutTexts = ({ definition }: ApiDocument): string =>
  JSON.stringify(definition, (key, value: unknown) => {
    const isText = key === 'description' || key === 'summary' || key === 'title';
    if (isText && typeof value === 'string') return undefined;
    return typeof value === 'bigint' ? String(value) : value;
  });

const newIn = (before: readonly string[], now: readonly string[]): readonly string[] =>
  now.filter((line) => !before.includes(line));

/** Writes the lines about a document that has replaced another version of it. */
const changeLines = (past: ApiDocument, now: ApiDocument): readonly string[] => {
  const { name, basePath, text } = now;
  if (past.text === text && past.basePath === basePath) return [];
  const moved = past.basePath === basePath ? '' : `, now at ${basePath || '/'}`;
  const changes = accountOf(diffDocuments(past, now));
  const isSame = changes.length === 0 && withoutTexts(past) === withoutTexts(now);
  return [`${name}: changed${moved}${isSame ? ', texts only' : ''}`, ...changes];
};

const documentLines = (old: AccountedApp, now: AccountedApp): readonly string[] => {
  const before = old.documents.map(({ name }) => name);
  const after = now.documents.map(({ name }) => name);
  return [
    ...before.filter((name) => !after.includes(name)).map((name) => `${name}: no longer served`),
    ...now.documents.flatMap((document) => {
      const { name, basePath, operations } = document;
      const past = old.documents.find((one) => one.name === name);
      return past === undefined
        ? [`${name}: served at ${basePath || '/'} (${operations.length} operations)`]
        : changeLines(past, document);
    }),
  ];
};

/** Writes the lines about an application that has replaced another one. */
export const accountLines = (old: AccountedApp, now: AccountedApp): readonly string[] => {
  const findings = ({ handlerFindings }: AccountedApp) =>
    handlerFindings.map(({ message }) => message);
  // Problems move with the lines; what they say stays.
  const said = ({ problems }: AccountedApp) => problems.map(({ message }) => message);
  const newProblems = newIn(said(old), said(now));
  return [
    ...documentLines(old, now),
    ...describeAlike(now.problems.filter(({ message }) => newProblems.includes(message))),
    ...newIn(findings(old), findings(now)),
  ].map(printable);
};
