/** The values of a field by which items are found and counted. */

import { searchKey } from '../sql/search-key';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const valuesAt = (value: unknown, path: readonly string[]): unknown[] => {
  if (Array.isArray(value)) return value.flatMap((element) => valuesAt(element, path));
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  return isObject(value) ? valuesAt(value[name], rest) : [];
};

/**
 * The values at a path (`status`, `tags.name`) as indexes keep them, each once. An absent field and null have none.
 *
 * @param item - undefined where there is no item
 */
export const fieldValues = (item: unknown, path: string): ReadonlySet<string> =>
  new Set(
    valuesAt(item, path.split('.')).flatMap((value) =>
      value === undefined || value === null ? [] : [searchKey(String(value))],
    ),
  );
