/** Compares `enum`. */

import { pointerTo } from '../../../base/json-pointer';
import { bothOf, entryPairs, type Spot } from '../rules/finding';
import type { MergedSchema } from './merged-schema';
import { type Keyword, keywordOf, keywordsOf, type SchemaPair } from './schema-pair';
import { typeOfValue } from './schema-types';
import { keyAt, valueSpot } from './spelling';

type Values = ReadonlyMap<string, Spot>;

/** The values of one list that the schema's types allow, by key. */
const valuesIn = (
  { value: list, pointer }: Keyword<readonly unknown[]>,
  { types, document }: MergedSchema,
): Values =>
  new Map(
    [...list.entries()]
      .filter(([, value]) => types.has(typeOfValue(value)))
      .map(([at, value]) => {
        const spot = valueSpot(document, isOne(pointer) ? pointer : pointerTo(pointer, at));
        return [keyAt(value, spot), spot];
      }),
  );

/** Tells of the place of a lone value. */
const isOne = (pointer: string): boolean => pointer.endsWith('/const');

/** The values that are allowed, by key; undefined where they are not listed. `[true, false]` lists all of a type. */
export const enumOf = (schema: MergedSchema): Values | undefined => {
  const lists = keywordsOf(schema, 'enum').map((keyword) => valuesIn(keyword, schema));
  const [first, ...rest] = lists;
  if (first === undefined) return undefined;
  const values = new Map([...first].filter(([key]) => rest.every((other) => other.has(key))));
  const isAll = values.has('true') && values.has('false') && !schema.types.has('string');
  return isAll && [...schema.types].every((type) => type === 'boolean' || type === 'null')
    ? undefined
    : values;
};

/** Compares the listed values. */
export const compareEnums = (pair: SchemaPair): void => {
  const [olds, news] = [enumOf(pair.old), enumOf(pair.new)];
  if (olds && news) {
    for (const [was, is] of entryPairs(olds, news)) bothOf(pair, was, is, 'enum-value');
    return;
  }
  const [old, now] = [olds && keywordOf(pair.old, 'enum'), news && keywordOf(pair.new, 'enum')];
  bothOf(pair, old, now, 'enum');
};
