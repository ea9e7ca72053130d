/** Says what is wrong with an edit, and where, so that its author finds it. */

import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { errorMessage } from '../../src/base/error-message';
import { printable } from '../../src/base/text/printable';
import {
  type Diagnostic,
  describeDiagnostic,
  withCauses,
} from '../../src/document/diagnostics/diagnostic';
import { RefusedDocuments } from '../../src/host/documents';
import { realFolder } from '../../src/host/module-loader';

/** A place in a file; lines and columns are counted from 1. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Characters of a line that are shown; a file may be one long line. */
const width = 100;

/** The lines of the frame; none where the file cannot be read. */
export const codeFrame = ({ file, line, column }: FilePlace): readonly string[] => {
  // What is no regular file cannot be read, or has no end.
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return [];
  const lines = readFileSync(file, 'utf8').split(/\r?\n/);
  const from = Math.max(0, column - 1 - width / 2);
  const digits = String(line).length;
  const show = (number: number): string[] => {
    const text = lines[number - 1];
    const mark = number === line ? '>' : ' ';
    const shown = text?.slice(from, from + width).replaceAll('\t', ' ');
    return shown === undefined
      ? []
      : [`${mark} ${String(number).padStart(digits)} | ${printable(shown)}`];
  };
  const caret = `  ${' '.repeat(digits)} | ${' '.repeat(column - 1 - from)}^`;
  return [...show(line - 1), ...show(line), caret];
};

/** Faults beyond these say nothing new. */
const most = 10;

/** As a person calls a file from here. */
const shortName = (file: string): string => (isAbsolute(file) ? relative('', file) : file);

// A message of the compiler of modules about a syntax error: `/…/pet.ts:12:5: ERROR: Expected ")" but found "}"`.
const compilerLine = /^(.+):(\d+):(\d+): ERROR: (.+)$/m;
// A line of a stack: `    at load (/…/pet.ts:12:5)`.
const stackLine = /\(?((?:\/|[A-Z]:\\)[^()\n]+):(\d+):(\d+)\)?$/gm;

interface Fault extends FilePlace {
  readonly message: string;
}

const isAt = (one: FilePlace, other: FilePlace | undefined): boolean =>
  one.file === other?.file && one.line === other.line && one.column === other.column;

/** A place is shown once; consequences mostly stand where their cause does. */
const described = (
  problem: Diagnostic,
  at: number,
  all: readonly Diagnostic[],
): readonly string[] => [
  describeDiagnostic(problem),
  ...(isAt(problem, all[at - 1]) ? [] : codeFrame(problem)),
];

/** The first place below the folder that an error of a module names. */
const faultOf = (error: unknown, folder: string): Fault | undefined => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const message = errorMessage(cause);
  const [, file, line, column, text] = compilerLine.exec(message) ?? [];
  if (file !== undefined && text !== undefined) {
    // The compiler counts columns from 0.
    return { file, line: Number(line), column: Number(column) + 1, message: text };
  }
  const stack = cause instanceof Error ? (cause.stack ?? '') : '';
  const start = realFolder(folder) + sep;
  const at = [...stack.matchAll(stackLine)].find(([, name = '']) => name.startsWith(start));
  return at && { file: at[1] ?? '', line: Number(at[2]), column: Number(at[3]), message };
};

/** Shows the errors of a document, each after what it is a consequence of. */
export const problemFrames = (problems: readonly Diagnostic[]): readonly string[] => {
  const errors = withCauses(
    problems,
    problems.filter(({ severity }) => severity === 'error'),
  );
  const more = errors.length > most ? [`and ${errors.length - most} more`] : [];
  return [...errors.slice(0, most).flatMap(described), ...more];
};

/**
 * The lines about an edit that was not taken up.
 *
 * @param folder - of the handlers
 */
export const faultLines = (error: unknown, folder: string): readonly string[] => {
  if (error instanceof RefusedDocuments) {
    return [...problemFrames(error.problems), error.reason];
  }
  const fault = faultOf(error, folder);
  if (fault === undefined) return [errorMessage(error)];
  const { file, line, column, message } = fault;
  return [`${shortName(file)}:${line}:${column} error: ${message}`, ...codeFrame(fault)];
};
