/** Says what is wrong with an edit, and where, so that its author finds it. */

import { isAbsolute, relative, sep } from 'node:path';
import { type Diagnostic, describeDiagnostic, errorMessage } from '../../src/engine';
import { RefusedDocuments } from '../../src/server/services/documents';
import { withCauses } from '../../src/server/services/new-errors';
import { codeFrame, type FilePlace } from './code-frame';
import { realFolder } from './fresh-handlers';

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
