/** Every `$ref` leads somewhere (OAS 3.0.3, Reference Object); where one does not, only what needs it is lost. */

import type { UnplacedDiagnostic } from '../../diagnostics/diagnostic';
import { type References, referenceOf, UnresolvableReference } from '../../references/references';
import type { ObjectName } from '../../structure/field-type';
import { objectTypes } from '../../structure/positions';
import { errorOf, type Rule, warningOf } from '../rule';

const referenceError = (ref: string, references: References): string | undefined => {
  try {
    references.resolve(ref);
    return undefined;
  } catch (error) {
    if (error instanceof UnresolvableReference) return error.message;
    throw error;
  }
};

const fragmentWarnings = (ref: string, pointer: string): UnplacedDiagnostic[] => {
  const fragment = ref.slice(ref.indexOf('#') + 1);
  if (fragment === '' || fragment.startsWith('/')) return [];
  const message = `Write #/${fragment}: a reference into a document begins with a slash.`;
  return [warningOf('reference')(pointer, message)];
};

const referenceDiagnostics = (
  ref: string,
  name: ObjectName,
  pointer: string,
  references: References,
): UnplacedDiagnostic[] => {
  const failure = referenceError(ref, references);
  if (failure === undefined) return fragmentWarnings(ref, pointer);
  if (name === 'PathItem') {
    const message = `${failure}. The path is not served. Correct the reference.`;
    return [errorOf('reference')(pointer, message)];
  }
  const message = `${failure}. Whatever needs it is not served. Correct the reference, or add what it names.`;
  return [warningOf('reference')(pointer, message)];
};

export const resolvableReferences: Rule = ({ objects, references }) =>
  objects.flatMap(({ value, pointer, name }): UnplacedDiagnostic[] => {
    const ref = objectTypes[name].referable ? referenceOf(value) : undefined;
    return ref === undefined ? [] : referenceDiagnostics(ref, name, `${pointer}/$ref`, references);
  });
