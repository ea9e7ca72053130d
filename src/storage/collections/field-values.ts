/** The values by which an item is found and counted. */

import { memoize } from '../../base/memoize';
import { searchKey } from '../sql/search-key';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Adds the values at a path, from its step `at` on. */
const addValues = (
  values: Set<string>,
  value: unknown,
  path: readonly string[],
  at: number,
): void => {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) {
    for (const element of value) addValues(values, element, path, at);
    return;
  }
  const name = path[at];
  if (name === undefined) values.add(searchKey(String(value)));
  else if (isObject(value)) addValues(values, value[name], path, at + 1);
};

const stepsOf = memoize((path: string): readonly string[] => path.split('.'), { max: 1000 });

const none: ReadonlySet<string> = new Set();

/**
 * Finds the values at a path (`status`, `tags.name`) as indexes store them, each once. An absent field and null have none.
 *
 * @param item - undefined where there is no item
 */
export const fieldValues = (item: unknown, path: string): ReadonlySet<string> => {
  if (item === undefined) return none;
  const values = new Set<string>();
  addValues(values, item, stepsOf(path), 0);
  return values;
};

/** An index of a collection: a row of the table `collection_indexes`. */
export interface CollectionIndex {
  readonly key: number;
  /** `lookup`: items are found by the values of a field; `count`: its values are counted. */
  readonly kind: 'lookup' | 'count';
  readonly path: string;
}
