/** Compares `enum`. */

import { pointerTo } from '../../../base/json-pointer';
import { entryPairs, type Spot } from '../rules/finding';
import type { MergedSchema } from './merged-schema';
import { bothOf, type Keyword, keywordsOf, type SchemaPair } from './schema-pair';
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
  if (olds === undefined && news === undefined) return;
  const [old] = keywordsOf(pair.old, 'enum');
  const [now] = keywordsOf(pair.new, 'enum');
  if (olds === undefined) {
    pair.report('enum-added', undefined, now);
    return;
  }
  if (news === undefined) {
    pair.report('enum-removed', old, undefined);
    return;
  }
  const rules = { added: 'enum-value-added', removed: 'enum-value-removed' } as const;
  for (const [was, is] of entryPairs(olds, news)) bothOf(pair, was, is, rules);
};
