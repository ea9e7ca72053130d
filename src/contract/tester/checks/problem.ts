/** One way in which an answer does not keep what the document says. */

import type { TestRule } from '../rules';

export interface Problem {
  readonly rule: TestRule;
  /** What the document asks for, as the end of "expected …". */
  readonly expected: string;
  /** What came, as the end of "seen: …". */
  readonly seen: string;
  /** Where: a JSON Pointer, a header. Part of what tells one failure from another. */
  readonly place?: string;
}

/** Why a request was made: which refusals are lawful, though not declared, depends on it. */
export type Intent = 'valid' | 'invalid' | 'unauthorized' | 'protocol';
