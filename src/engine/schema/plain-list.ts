/** Finds the schemas of lists that can be checked item by item. */

import type { SchemaPart } from './schema-parts';
import type { Schema } from './shape';

/** Keywords that make no list invalid by themselves; members of `allOf` are parts of their own. */
const harmless = new Set([
  'type',
  'nullable',
  'allOf',
  'title',
  'description',
  'default',
  'example',
  'externalDocs',
  'deprecated',
  'readOnly',
  'writeOnly',
  'xml',
]);

const isHarmless = ([keyword, value]: readonly [string, unknown]): boolean =>
  keyword === 'type' ? value === 'array' : harmless.has(keyword) || keyword.startsWith('x-');

/**
 * The schema of the items, where the parts ask nothing of a list but what its items are; undefined where they ask more
 * (`maxItems`, `uniqueItems`, a union), or are of no list.
 */
export function schemaOfItems(parts: readonly SchemaPart[]): Schema | undefined {
  const demands = parts
    .flatMap((part) => Object.entries(part))
    .filter((entry) => !isHarmless(entry));
  return demands.length === 1 ? parts.find(({ items }) => items)?.items : undefined;
}
