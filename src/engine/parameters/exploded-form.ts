/** Query parameters whose parts are top-level pairs: `name=a&name=b`, `R=100&G=200` (style form, explode true). */

import { MalformedText } from '../../base/malformed-text';
import { emptyRecord } from '../../base/plain-object';
import type { Shape } from '../schema/shape';
import { formDecode, isPosition, type QueryPairs } from './query-string';
import { kindOf, memberShape, typedReader } from './typed-value';

/** The raw values of `name`, `name[]` and, in the order of their numbers, `name[0]`, `name[1]`, as clients write them. */
export const occurrences = (name: string, query: QueryPairs): readonly string[] => {
  const plain = query.get(name) ?? [];
  const numbered: [number, readonly string[]][] = [];
  const prefix = `${name}[`;
  for (const [key, values] of query) {
    if (!key.startsWith(prefix) || !key.endsWith(']')) continue;
    const index = key.slice(prefix.length, -1);
    if (isPosition(index)) numbered.push([Number(index), values]);
  }
  if (numbered.length === 0) return plain;
  numbered.sort(([one], [other]) => one - other);
  return [...plain, ...numbered.flatMap(([, values]) => values)];
};

/** The one raw value of a key; undefined where it did not come. */
export const onlyOccurrence = (name: string, query: QueryPairs): string | undefined => {
  const values = query.get(name);
  if (values !== undefined && values.length > 1) {
    throw new MalformedText('must not be given more than once');
  }
  return values?.[0];
};

/** Reads a parameter whose key is repeated for each item. */
export const repeatedReader = (
  name: string,
  items: Shape | undefined,
): ((query: QueryPairs) => unknown) => {
  const read = typedReader(items);
  return (query) => {
    const raws = occurrences(name, query);
    if (raws.length === 0) return undefined;
    return raws.map((raw) => read(formDecode(raw)));
  };
};

const readMember = (key: string, shape: Shape, query: QueryPairs): unknown => {
  if (kindOf(shape) === 'list') return repeatedReader(key, shape.items)(query);
  const raw = onlyOccurrence(key, query);
  return raw === undefined ? undefined : typedReader(shape)(formDecode(raw));
};

const isEmpty = (record: object): boolean => Object.keys(record).length === 0;

/** A key that no schema describes: its text, or the list of its texts. */
const readFree = (key: string, query: QueryPairs): unknown => {
  const texts = (query.get(key) ?? []).map(formDecode);
  return texts.length > 1 ? texts : texts[0];
};

/**
 * Reads an object whose properties are keys of the query itself. Keys that neither it nor another parameter declares are
 * taken as its additional properties, but never make it present: an unknown key is no error.
 */
export const spreadReader = (
  shape: Shape,
  isClaimed: (key: string) => boolean,
): ((query: QueryPairs) => unknown) => {
  const isFree = (key: string) => !isClaimed(key) && !shape.properties.has(key);
  const readDeclared = (query: QueryPairs): Record<string, unknown> => {
    const record = emptyRecord<unknown>();
    for (const [key, member] of shape.properties) {
      const value = readMember(key, member, query);
      if (value !== undefined) record[key] = value;
    }
    return record;
  };
  const addFree = (record: Record<string, unknown>, query: QueryPairs): void => {
    for (const key of [...query.keys()].filter(isFree)) {
      const member = memberShape(shape, key);
      record[key] = member === undefined ? readFree(key, query) : readMember(key, member, query);
    }
  };
  return (query) => {
    const record = readDeclared(query);
    const isPresent = shape.properties.size === 0 || !isEmpty(record);
    if (isPresent && shape.additional !== false) addFree(record, query);
    return isEmpty(record) ? undefined : record;
  };
};
