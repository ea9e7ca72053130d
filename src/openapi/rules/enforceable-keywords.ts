/** Schemas have keywords that can be enforced (OAS 3.0.3, Schema Object): no ill-typed limit, no list as `type`. */

import { documentObjects } from '../document-objects';
import { pointerOf } from '../json-pointer';
import type { Finding } from '../problem';
import { keywordProblem } from '../validation/keyword-problem';
import type { Rule } from './rule';

export const enforceableKeywords: Rule = ({ definition }) =>
  documentObjects(definition).flatMap(({ value, steps, isSchema }): Finding[] => {
    const message = isSchema ? keywordProblem(value) : undefined;
    return message === undefined ? [] : [{ severity: 'error', pointer: pointerOf(steps), message }];
  });
