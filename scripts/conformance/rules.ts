/** The rules of the conformance table, as rules.md lists them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A testable sentence with an id. */
export interface Rule {
  readonly id: string;
  readonly line: string;
}

const text = readFileSync(join(__dirname, 'rules.md'), 'utf8');

/** All rules in the order of the file. */
export const rules: readonly Rule[] = [...text.matchAll(/^- ([A-Z]\d\d) (.+)$/gm)].map(
  ([, id = '', line = '']) => ({ id, line }),
);
