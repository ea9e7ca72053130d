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
export type PartKind = keyof typeof evaluatesAll;

/** Lists the predicates of a schema's own keywords, without `contains`, which looks at the items first. */
export const evaluatedBy = (schema: Schema): readonly Evaluates[] => {
  const { properties, patternProperties, additionalProperties, prefixItems, items } = schema;
  const tests = [...(patternProperties?.keys() ?? [])].map((source) => patternTest(source));
  const isDeclared: Evaluates = (key) =>
    typeof key === 'string' && (properties?.has(key) === true || tests.some((test) => test(key)));
  return [
    (properties ?? patternProperties) !== undefined && isDeclared,
    additionalProperties !== undefined && isName,
    prefixItems.length > 0 && ((key: Key) => typeof key === 'number' && key < prefixItems.length),
    items !== undefined && isIndex,
  ].filter((evaluates) => evaluates !== false);
};

const keysOf = (value: unknown, kind: PartKind): readonly Key[] => {
  if (kind === 'items') return Array.isArray(value) ? [...value.keys()] : [];
  return isPlainObject(value) ? Object.keys(value) : [];
};

/** Predicates that are asked in a step. */
const ASKED = 2;

/** Lists the properties or items of a value that no predicate of the trail speaks of, from a place in it on. */
export const unevaluatedKeys =
  (kind: PartKind) =>
  (value: unknown, trail: readonly Evaluates[], start: number): readonly Key[] => {
    const predicates = trail.slice(start);
    const keys = keysOf(value, kind);
    spend(Math.ceil((keys.length * predicates.length) / ASKED));
    return keys.filter((key) => !predicates.some((evaluates) => evaluates(key)));
  };
