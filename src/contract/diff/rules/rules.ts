/** Every rule of the comparison by its id. An id never changes: allow files name them. */

import { messageRules } from './message-rules';
import { operationRules } from './operation-rules';
import type { Rule } from './rule';
import { schemaRules } from './schema-rules';

/** The rules, in the order of the documentation. */
export const diffRules = { ...operationRules, ...messageRules, ...schemaRules };

/** The id of a rule, in kebab case. */
export type DiffRuleId = keyof typeof diffRules;

/** The rule of an id. */
export const ruleOf = (id: DiffRuleId): Rule => diffRules[id];

/** Whether a text is the id of a rule. */
export const isDiffRule = (id: string): id is DiffRuleId => Object.hasOwn(diffRules, id);
