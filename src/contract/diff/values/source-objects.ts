/** The objects of one document: what their references lead to, and where they stand. */

import { pointerSteps, pointerTo, valueAt } from '../../../base/json-pointer';
import { lazy } from '../../../base/memoize';
import { isPlainObject, type PlainObject } from '../../../base/plain-object';
import { documentObjects } from '../../../document/structure/positions';
import type { ApiDocument } from '../../../engine';

/** An object of the document, references followed. */
export interface SourceObject {
  readonly value: PlainObject;
  /** Into the definition. */
  readonly pointer: string;
}

/** The objects of one document. */
export interface SourceObjects {
  readonly document: ApiDocument;
  /** The object, or what its reference leads to; undefined where it is missing. */
  find(value: unknown): SourceObject | undefined;
  /** The members of a map, references followed. Names such as `x-rate-limit` are names like any other. */
  entries(map: unknown): readonly (readonly [name: string, member: SourceObject])[];
  /** Gives the items of a list, references followed. */
  items(list: unknown): readonly SourceObject[];
}

/** Gives the pointer of each object; the first one where an alias has it in several places. */
const pointersIn = ({ definition }: ApiDocument): ReadonlyMap<object, string> => {
  const pointers = new Map<object, string>();
  for (const { value, pointer } of documentObjects(definition)) {
    if (!pointers.has(value)) pointers.set(value, pointer);
  }
  return pointers;
};

/** Makes the view of a document's objects. */
export const sourceObjects = (document: ApiDocument): SourceObjects => {
  const pointers = lazy(() => pointersIn(document));

  /** Gives the pointer that a reference spells, for objects at places that the specification does not describe. */
  const spelled = (value: PlainObject): string => {
    const ref = value['$ref'];
    return typeof ref === 'string' && ref.startsWith('#/') ? ref.slice(1) : '';
  };

  const known = new Map<object, SourceObject>();
  const find = (value: unknown): SourceObject | undefined => {
    if (!isPlainObject(value)) return undefined;
    const target = document.references.find<PlainObject>(value);
    if (!isPlainObject(target)) return undefined;
    const before = known.get(target);
    if (before !== undefined) return before;
    const found = {
      value: target,
      get pointer() {
        return pointers().get(target) ?? spelled(value);
      },
    };
    known.set(target, found);
    return found;
  };

  return {
    document,
    find,
    entries: (map) =>
      Object.entries(isPlainObject(map) ? map : {}).flatMap(([name, member]) => {
        const found = find(member);
        return found === undefined ? [] : [[name, found] as const];
      }),
    items: (list) => (Array.isArray(list) ? list : []).flatMap((item) => find(item) ?? []),
  };
};

/** The name of a parameter that a pointer leads to or into. */
const parameterName = (root: unknown, steps: readonly string[]): string | undefined => {
  const at = steps.lastIndexOf('parameters');
  const pointer = steps.slice(0, at + 2).reduce<string>(pointerTo, '');
  const parameter = at < 0 ? undefined : valueAt(root, pointer);
  const name: unknown = isPlainObject(parameter) ? parameter['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
};

const namedBy: Readonly<Record<string, (name: string) => string>> = {
  properties: (name) => `.${name}`,
  items: () => '[]',
  additionalProperties: () => '.*',
};

/** The steps within a schema as a path such as `.owner[].name`. */
const pathWithin = (steps: readonly string[]): string => {
  let path = '';
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at] ?? '';
    if (step === 'properties') at += 1;
    path += namedBy[step]?.(steps[at] ?? '') ?? '';
  }
  return path;
};

/** The step after the last one of that name: the member of a map that the pointer leads to or into. */
const memberOf = (steps: readonly string[], map: string): string | undefined =>
  steps.includes(map) ? steps[steps.lastIndexOf(map) + 1] : undefined;

/** Names the object at a pointer for readers: `Thing.name`, `the parameter limit`, `the body`. */
export const subjectOf = ({ document }: SourceObjects, pointer: string): string => {
  const steps = pointerSteps(pointer);
  const [first, section, name = ''] = steps;
  if (first === 'components' && section === 'schemas')
    return `${name}${pathWithin(steps.slice(3))}`;
  const schema = steps.indexOf('schema');
  const path = schema < 0 ? '' : pathWithin(steps.slice(schema + 1)).replace(/^\./, '');
  if (path !== '') return path;
  const parameter = parameterName(document.definition, steps);
  if (parameter !== undefined) return `the parameter ${parameter}`;
  const header = memberOf(steps, 'headers');
  if (header !== undefined) return `the header ${header}`;
  if (schema >= 0) return 'the body';
  const response = memberOf(steps, 'responses');
  return response === undefined ? '' : `the response ${response}`;
};
