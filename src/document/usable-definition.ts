/** Replacements for what client generators cannot use: dangling references, and lists that only an extension names. */

import { pointerSteps } from '../base/json-pointer';
import { isPlainObject, type PlainObject } from '../base/plain-object';
import type { Steps } from '../base/run-in-steps';
import { type References, referenceOf } from './references/references';
import type { ObjectName } from './structure/field-type';
import type { DocumentObject, Structure } from './structure/positions';

/** Objects that are written in place of objects of the definition. */
export type Replacements = ReadonlyMap<object, object>;

/** The required members of objects, given a name; a schema without any fits every value. */
const leastMembers: Partial<Record<ObjectName, (name: string) => object>> = {
  Parameter: (name) => ({ name, in: 'query', schema: {} }),
  Header: () => ({ schema: {} }),
  RequestBody: () => ({ content: {} }),
  SecurityScheme: (name) => ({ type: 'http', scheme: name }),
};

const broken = (ref: string, name: ObjectName, { types }: Structure): object => ({
  ...leastMembers[name]?.(pointerSteps(ref.replace(/^[^#]*#?/, '')).at(-1) || 'unknown'),
  ...(Object.hasOwn(types[name].fields, 'description') && {
    description: `The document refers to ${ref}, which does not exist.`,
  }),
  'x-broken-reference': ref,
});

const example = (value: unknown): unknown =>
  typeof value === 'string' ? value.split(',') : [value];

const listExamples = (examples: unknown, references: References): object =>
  Object.fromEntries(
    Object.entries(isPlainObject(examples) ? examples : {}).map(([key, entry]) => {
      const found = isPlainObject(entry) ? references.find<PlainObject>(entry) : undefined;
      const field = ['value', 'dataValue'].find((name) => found && Object.hasOwn(found, name));
      return [key, found && field ? { ...found, [field]: example(found[field]) } : entry];
    }),
  );

/** Declares a parameter of comma-separated text as the list that it is read as. */
const asList = (split: Readonly<PlainObject>, references: References): object | undefined => {
  const { schema: own, example: lone, examples } = split;
  const { default: fallback, ...item } = references.follow<PlainObject>(Object(own));
  if (item['type'] === 'array') return undefined;
  const list = { type: 'array', items: item, minItems: 1 };
  const schema = fallback === undefined ? list : { ...list, default: [fallback] };
  return {
    ...split,
    style: 'form',
    explode: false,
    schema,
    ...('example' in split && { example: example(lone) }),
    ...('examples' in split && { examples: listExamples(examples, references) }),
  };
};

const replacementOf = (
  { value, name }: DocumentObject,
  structure: Structure,
  references: References,
): object | undefined => {
  const ref = structure.types[name].reference === 'none' ? undefined : referenceOf(value);
  if (ref !== undefined) {
    return references.find(value) === undefined ? broken(ref, name, structure) : undefined;
  }
  const isSplit = value['x-comma-separated'] === true && value['in'] === 'query';
  return name === 'Parameter' && isSplit ? asList(value, references) : undefined;
};

/** Finds the objects that generators of clients cannot use as they are, with their replacements. */
export function* usableReplacements(
  objects: readonly DocumentObject[],
  structure: Structure,
  references: References,
): Steps<Replacements> {
  const found = new Map<object, object>();
  for (const part of objects) {
    const replacement = replacementOf(part, structure, references);
    if (replacement !== undefined) found.set(part.value, replacement);
    yield;
  }
  return found;
}
