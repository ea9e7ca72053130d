/** What reading a file of a document gives, and how it fails. */

import { type Diagnostic, describeDiagnostic } from '../diagnostics/diagnostic';
import type { RuleName } from '../diagnostics/rule-names';

/** Line and column, from 1; columns count UTF-16 units. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** A file's content as plain values. */
export interface SourceText {
  /** Integers beyond 2^53 are `bigint`, everything else is as JSON has it. */
  readonly value: unknown;
  /**
   * Where the value under a pointer stands, or the key that it stands under; where its nearest existing ancestor does, if
   * it does not exist.
   */
  locate(pointer: string, ofKey?: boolean): SourcePosition;
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

/** The fault of a whole file, at a place of it. */
export const unreadable = (
  file: string,
  rule: RuleName,
  message: string,
  { line, column }: SourcePosition = { line: 1, column: 1 },
  pointer = '',
): UnreadableDocument =>
  new UnreadableDocument({ severity: 'error', rule, pointer, message, file, line, column });

/** Makes the finder of an offset's place. */
export const linePositions = (text: string): ((offset: number) => SourcePosition) => {
  let starts: readonly number[] | undefined;
  const lineStarts = (): readonly number[] => {
    const found = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) found.push(at + 1);
    return found;
  };
  return (offset) => {
    starts ??= lineStarts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
};
