/** A short account of an edit: which documents came, went and changed, and what else is new to say of them. */

import { printable } from '../../src/base/text/printable';
import { editAccount } from '../../src/contract';
import { describeAlike } from '../../src/document/diagnostics/diagnostic';
import type { ServingApp } from '../../src/server/app';

/** The parts of an application that an account mentions. */
export type AccountedApp = Pick<ServingApp, 'documents' | 'problems' | 'handlerFindings'>;

const newIn = (before: readonly string[], now: readonly string[]): readonly string[] =>
  now.filter((line) => !before.includes(line));

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
        : editAccount(past, document);
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
