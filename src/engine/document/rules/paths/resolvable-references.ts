/** Every `$ref` leads somewhere (OAS 3.0.3, Reference Object); where one does not, only what needs it is lost. */

import type { UnplacedDiagnostic } from '../../diagnostics/diagnostic';
import { referenceOf } from '../../references/reference-of';
import { type References, UnresolvableReference } from '../../references/references';
import type { ObjectName } from '../../structure/field-type';
import { objectKinds } from '../../structure/object-types';
import { errorOf, type Rule, warningOf } from '../rule';

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

const fragmentFindings = (ref: string, pointer: string): UnplacedDiagnostic[] => {
  const fragment = ref.slice(ref.indexOf('#') + 1);
  if (fragment === '' || fragment.startsWith('/')) return [];
  const message = `Write #/${fragment}: a reference into a document begins with a slash.`;
  return [warningOf('reference')(pointer, message)];
};

const referenceFindings = (
  ref: string,
  name: ObjectName,
  pointer: string,
  references: References,
): UnplacedDiagnostic[] => {
  const problem = referenceProblem(ref, references);
  if (problem === undefined) return fragmentFindings(ref, pointer);
  if (name === 'PathItem') {
    const message = `${problem}. The path is not served. Correct the reference.`;
    return [errorOf('reference')(pointer, message)];
  }
  const message = `${problem}. Whatever needs it is not served. Correct the reference, or add what it names.`;
  return [warningOf('reference')(pointer, message)];
};

export const resolvableReferences: Rule = ({ objects, references }) =>
  objects.flatMap(({ value, pointer, name }): UnplacedDiagnostic[] => {
    const ref = objectKinds[name].referable ? referenceOf(value) : undefined;
    return ref === undefined ? [] : referenceFindings(ref, name, `${pointer}/$ref`, references);
  });
