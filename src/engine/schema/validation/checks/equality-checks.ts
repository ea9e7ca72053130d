/** `enum` and `uniqueItems`, which compare whole values. */

import { readFlag, readList, type SchemaFields } from '../../schema-fields';
import type { Check } from './check';
import { valueKey } from './value-key';

/** How many members of an enum a message names. */
const NAMED = 30;

const nameOf = (value: unknown): string => (typeof value === 'string' ? value : valueKey(value));

const allowedValues = (schema: SchemaFields): Check | undefined => {
  const values = readList(schema, 'enum');
  if (values === undefined) return undefined;
  const keys = new Set(values.map(valueKey));
  const texts = new Set(values.filter((value) => typeof value === 'string'));
  const names = values.slice(0, NAMED).map(nameOf).join(', ');
  const more = values.length > NAMED ? ', ...' : '';
  return {
    message: values.length === 1 ? `must be ${names}` : `must be one of: ${names}${more}`,
    decides: values.length === 1 ? 'tag' : undefined,
    accepts: (value) => (typeof value === 'string' ? texts.has(value) : keys.has(valueKey(value))),
  };
};

// A set of keys keeps this linear; comparing each pair would let a long list stop the server.
const allDistinct = (items: readonly unknown[]): boolean => {
  const seen = new Set<string>();
  return items.every((item) => seen.size < seen.add(valueKey(item)).size);
};

const distinctItems: Check = {
  message: 'must not contain the same item twice',
  accepts: (value) => !Array.isArray(value) || allDistinct(value),
};

/** The checks of `enum` and `uniqueItems`. */
export const equalityChecks = (schema: SchemaFields): readonly (Check | undefined)[] => [
  allowedValues(schema),
  readFlag(schema, 'uniqueItems') ? distinctItems : undefined,
];
