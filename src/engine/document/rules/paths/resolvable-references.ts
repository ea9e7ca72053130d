/** Every `$ref` leads somewhere (OAS 3.0.3, Reference Object); where one does not, only what needs it is lost. */

import { pointerOf, pointerOfFragment, pointerSteps, valueAt } from '../../../../base/json-pointer';
import { nearestName } from '../../../../base/nearest-name';
import { isPlainObject } from '../../../../base/plain-object';
import type { UnplacedDiagnostic } from '../../diagnostics/diagnostic';
import { type References, referenceOf, UnresolvableReference } from '../../references/references';
import type { ObjectName } from '../../structure/field-type';
import { objectTypes } from '../../structure/positions';
import { errorOf, type Rule, type RuleContext, warningOf } from '../rule';

const referenceError = (ref: string, references: References): string | undefined => {
  try {
    references.resolve(ref);
    return undefined;
  } catch (error) {
    if (error instanceof UnresolvableReference) return error.message;
    throw error;
  }
};

/** What was meant, where the last step of the reference is a slip away from a name that is there. */
const suggestion = (ref: string, definition: object): string => {
  const [file = '', fragment = ''] = ref.split('#');
  const steps = pointerSteps(pointerOfFragment(fragment) ?? '');
  const parent = file === '' ? valueAt(definition, pointerOf(steps.slice(0, -1))) : undefined;
  const name = steps.at(-1) ?? '';
  const meant =
    isPlainObject(parent) && !Object.hasOwn(parent, name) && nearestName(name, Object.keys(parent));
  return meant ? ` Did you mean #${pointerOf([...steps.slice(0, -1), meant])}?` : '';
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
  { references, definition }: RuleContext,
): UnplacedDiagnostic[] => {
  const error = referenceError(ref, references);
  if (error === undefined) return fragmentWarnings(ref, pointer);
  const failure = `${error}.${suggestion(ref, definition)}`;
  if (name === 'PathItem') {
    const message = `${failure} The path is not served. Correct the reference.`;
    return [errorOf('reference')(pointer, message)];
  }
  const message = `${failure} Whatever needs it is not served. Correct the reference, or add what it names.`;
  return [warningOf('reference')(pointer, message)];
};

export const resolvableReferences: Rule = (context) =>
  context.objects.flatMap(({ value, pointer, name }): UnplacedDiagnostic[] => {
    const ref = objectTypes[name].referable ? referenceOf(value) : undefined;
    return ref === undefined ? [] : referenceDiagnostics(ref, name, `${pointer}/$ref`, context);
  });
