/** Every `$ref` leads somewhere (OAS 3.0.3, Reference Object); where one does not, only what needs it is lost. */

import type { Finding } from '../problem';
import { type References, referenceOf, UnresolvableReference } from '../references';
import { objectKinds } from '../structure/object-kinds';
import { errorOf, type Rule, warningOf } from './rule';

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

export const resolvableReferences: Rule = ({ objects, references }) =>
  objects.flatMap(({ value, pointer, name }): Finding[] => {
    const ref = objectKinds[name].referable ? referenceOf(value) : undefined;
    const problem = ref === undefined ? undefined : referenceProblem(ref, references);
    if (problem === undefined) return [];
    const at = `${pointer}/$ref`;
    return [
      name === 'PathItem'
        ? errorOf('reference')(at, `${problem}. The path is not served. Correct the reference.`)
        : warningOf('reference')(
            at,
            `${problem}. Whatever needs it is not served. Correct the reference, or add what it names.`,
          ),
    ];
  });
