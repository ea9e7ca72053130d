/** What is wrong with a document, and where: the loader's report. */

/** One finding. An `error` takes something out of service; a `warning` does not. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  /** JSON Pointer (RFC 6901) into the document. */
  readonly pointer: string;
  /** One sentence. */
  readonly message: string;
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
}

/** A finding before its place in the file is looked up. */
export type Finding = Pick<Problem, 'severity' | 'pointer' | 'message'>;

/** The line a person reads: `specs/shop.yaml:12:7 warning …`. */
export const describeProblem = (problem: Problem): string =>
  `${problem.file}:${problem.line}:${problem.column} ${problem.severity}: ${problem.message} (${problem.pointer || '/'})`;
