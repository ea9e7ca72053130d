/** All rules in the order of their ids' chapters. */

import { documentRules } from './document-rules';
import { requestRules } from './request-rules';
import type { Rule } from './rule';
import { xmlRules } from './xml-rules';

export const rules: readonly Rule[] = [...xmlRules, ...requestRules, ...documentRules];
