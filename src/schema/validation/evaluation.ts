/**
 * The properties and items that schemas have evaluated, for `unevaluatedProperties` and `unevaluatedItems`
 * (JSON Schema 2020-12 Core, section 11). Each schema that a value fits leaves a predicate in a trail.
 */

import { spend } from '../../base/fuel';
import { isPlainObject } from '../../base/plain-object';
import type { Schema } from '../../model/schema';
import { patternTest } from './checks/pattern-check';

/** A property's name, or an item's index. */
type Key = string | number;

/** Tells whether a property or an item has been evaluated. */
export type Evaluates = (key: Key) => boolean;

const isName: Evaluates = (key) => typeof key === 'string';
const isIndex: Evaluates = (key) => typeof key === 'number';

/** All properties, and all items. */
export const evaluatesAll = { properties: isName, items: isIndex } as const;

/** A kind of parts of a value. */
type PartKind = keyof typeof evaluatesAll;

/** Makes the predicate of the names that a schema declares, or has a pattern for. */
export const declaresName = ({
  properties,
  patternProperties,
}: Schema): ((name: string) => boolean) => {
  const tests = [...(patternProperties?.keys() ?? [])].map((source) => patternTest(source));
  return (name) => properties?.has(name) === true || tests.some((test) => test(name));
};

/** Lists the predicates of a schema's own keywords, without `contains`, which looks at the items first. */
export const evaluatedBy = (schema: Schema): readonly Evaluates[] => {
  const { properties, patternProperties, additionalProperties, prefixItems, items } = schema;
  const declares = declaresName(schema);
  return [
    (properties ?? patternProperties) !== undefined &&
      ((key: Key) => typeof key === 'string' && declares(key)),
    additionalProperties !== undefined && isName,
    prefixItems.length > 0 && ((key: Key) => typeof key === 'number' && key < prefixItems.length),
    items !== undefined && isIndex,
  ].filter((evaluates) => evaluates !== false);
};

/** Predicates that are asked in a step. */
const ASKED = 2;

/** Lists the properties or items of a value that no predicate speaks of, with their names or indexes. */
export const unevaluatedParts = (
  kind: PartKind,
  value: unknown,
  trail: readonly Evaluates[],
): readonly (readonly [Key, unknown])[] => {
  let parts: readonly (readonly [Key, unknown])[] = [];
  if (kind === 'items' && Array.isArray(value)) parts = [...value.entries()];
  if (kind === 'properties' && isPlainObject(value)) parts = Object.entries(value);
  spend(Math.ceil((parts.length * trail.length) / ASKED));
  return parts.filter(([key]) => !trail.some((evaluates) => evaluates(key)));
};
