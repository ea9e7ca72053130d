/** What reading a file of a document gives, and how it fails. */

import type { TextPosition } from '../../lang/text-position';
import { type Diagnostic, describeDiagnostic } from '../diagnostics/diagnostic';
import type { RuleName } from '../diagnostics/rule-names';

/** A file's content as plain values. */
export interface SourceText {
  /** Integers beyond 2^53 are `bigint`, everything else is as JSON has it. */
  readonly value: unknown;
  /**
   * Where the value under a pointer stands, or the key that it stands under; where its nearest existing ancestor does, if
   * it does not exist.
   */
  locate(pointer: string, ofKey?: boolean): TextPosition;
}

/** A file that cannot be read at all. */
export class UnreadableDocument extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(describeDiagnostic(diagnostic));
    this.name = 'UnreadableDocument';
    this.diagnostic = diagnostic;
  }
}

/** An error in a whole file, at a position in it. */
export const unreadable = (
  file: string,
  rule: RuleName,
  message: string,
  { line, column }: TextPosition = { line: 1, column: 1 },
  pointer = '',
): UnreadableDocument =>
  new UnreadableDocument({ severity: 'error', rule, pointer, message, file, line, column });

/** The message is a clause that completes `The reference … cannot be resolved: …`. */
export class MissingFile extends Error {
  constructor(clause: string) {
    super(clause);
    this.name = 'MissingFile';
  }
}
