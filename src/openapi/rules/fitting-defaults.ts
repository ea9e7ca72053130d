/** A schema's default fits the schema that it belongs to (OAS 3.0.3, Schema Object). */

import { documentObjects } from '../document-objects';
import { pointerOf } from '../json-pointer';
import type { Finding } from '../problem';
import { defaultProblem } from '../validation/default-problem';
import type { Rule } from './rule';

export const fittingDefaults: Rule = ({ definition }) =>
  documentObjects(definition).flatMap(({ value, steps, isSchema }): Finding[] => {
    const message = isSchema ? defaultProblem(value) : undefined;
    if (message === undefined) return [];
    return [{ severity: 'warning', pointer: pointerOf([...steps, 'default']), message }];
  });
