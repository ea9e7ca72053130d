/** Compares `enum`. */

import { bothOf, entryPairs } from '../rules/finding';
import type { MergedSchema } from './merged-schema';
import { enumOf, possibleValues } from './possible-values';
import { keywordOf, type SchemaPair } from './schema-pair';

/** Tells whether two schemas list the same values. */
export const haveSameValues = (old: MergedSchema, now: MergedSchema): boolean => {
  const [olds, news] = [enumOf(old), enumOf(now)];
  return olds?.size === news?.size && [...(olds?.keys() ?? [])].every((key) => news?.has(key));
};

/** Compares the listed values; where one schema lists none, another keyword may let no others through. */
export const compareEnums = (pair: SchemaPair): void => {
  const [olds, news] = [enumOf(pair.old), enumOf(pair.new)];
  if (olds && news) {
    for (const [before, after] of entryPairs(olds, news)) bothOf(pair, before, after, 'enum-value');
    return;
  }
  const listed = olds ?? news;
  const values = possibleValues(olds ? pair.new : pair.old);
  if (listed && values && [...values.keys()].every((key) => listed.has(key))) return;
  const [old, now] = [olds && keywordOf(pair.old, 'enum'), news && keywordOf(pair.new, 'enum')];
  bothOf(pair, old, now, 'enum');
};
