/** The result of comparing two documents. */

import type { DiffRuleId, Severity, Side } from './rules/rules';

/** One change. A change of a shared part is listed once for each operation and side that it touches. */
export interface Change {
  readonly rule: DiffRuleId;
  readonly severity: Severity;
  readonly side: Side;
  /** The operationId; null where the operation has none, or the change is the whole document's. */
  readonly operation: string | null;
  /** In lower case; null where the change is the whole document's. */
  readonly method: string | null;
  /** The path template; null where the change is the whole document's. */
  readonly path: string | null;
  /** JSON Pointer (RFC 6901) into the file: the new one, or the old one for what is gone. */
  readonly pointer: string;
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
  /** JSON text: the old value as it stands in the document, with all its digits, or words; null where there was none. */
  readonly was: string | null;
  /** JSON text of the new value likewise; null where it is missing. */
  readonly now: string | null;
  readonly message: string;
}
