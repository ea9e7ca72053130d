/** What is wrong with a document, and where: the loader's report. */

import type { RuleName } from './rule-names';

/**
 * One diagnostic. An `error` is where the document breaks a rule of the specification or where something cannot be served;
 * the sentence says which. A `warning` is legal or harmless, and probably not meant.
 */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly rule: RuleName;
  /** JSON Pointer (RFC 6901) into the file. */
  readonly pointer: string;
  /** What is wrong, and what to do about it. */
  readonly message: string;
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
  /** Whether it is a consequence of the diagnostic before it. */
  readonly follows?: boolean;
}

/** A diagnostic before its position in the file is known. */
export interface UnplacedDiagnostic
  extends Pick<Diagnostic, 'severity' | 'rule' | 'pointer' | 'message'> {
  /** Whether it speaks of the key under which the value stands rather than of the value. */
  readonly ofKey?: boolean;
}

/** The line a person reads: `specs/shop.yaml:12:7 warning: … (/paths/~1a)`. */
export const describeDiagnostic = (diagnostic: Diagnostic): string =>
  `${diagnostic.file}:${diagnostic.line}:${diagnostic.column} ${diagnostic.severity}: ${diagnostic.message} (${diagnostic.pointer || '/'})`;
