/** Every `$ref` leads somewhere (OAS 3.0.3, Reference Object); where one does not, only what needs it is lost. */

import { documentObjects } from '../document-objects';
import { pointerOf } from '../json-pointer';
import type { Finding } from '../problem';
import { type References, referenceOf, UnresolvableReference } from '../references';
import type { Rule } from './rule';

/** Why the reference leads nowhere; undefined where it leads somewhere. */
const referenceProblem = (ref: string, references: References): string | undefined => {
  try {
    references.resolve(ref);
    return undefined;
  } catch (error) {
    if (error instanceof UnresolvableReference) return error.message;
    throw error;
  }
};

export const resolvableReferences: Rule = ({ definition, references }) =>
  documentObjects(definition).flatMap(({ value, steps }): Finding[] => {
    const ref = referenceOf(value);
    const problem = ref === undefined ? undefined : referenceProblem(ref, references);
    if (problem === undefined) return [];
    const message = `${problem}; whatever needs it is not served`;
    return [{ severity: 'warning', pointer: pointerOf([...steps, '$ref']), message }];
  });
