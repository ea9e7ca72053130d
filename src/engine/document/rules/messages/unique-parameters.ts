/** No list names a parameter twice: its name and place are its identity (OAS 3.0.3, Operation Object). */

import { isFields } from '../../../schema/validation/checks/schema-fields';
import type { References } from '../../references/references';
import { errorOf, type Rule } from '../rule';

const finding = errorOf('repeated-parameter');

/** What identifies a parameter, in words. */
const identity = (entry: object, references: References): string | undefined => {
  const parameter: unknown = references.find(entry);
  if (!isFields(parameter)) return undefined;
  const { name, in: location } = parameter;
  // Header names are case-insensitive (RFC 9110 section 5.1).
  return `${String(location)} parameter ${location === 'header' ? String(name).toLowerCase() : String(name)}`;
};

export const uniqueParameters: Rule = ({ objects, references }) =>
  objects.flatMap(({ value, pointer, name }) => {
    if (name !== 'PathItem' && name !== 'Operation') return [];
    const list: unknown = Reflect.get(value, 'parameters');
    const seen = new Set<string>();
    return (Array.isArray(list) ? list : []).flatMap((entry: unknown, index) => {
      const id = isFields(entry) ? identity(entry, references) : undefined;
      if (id === undefined || !seen.has(id)) {
        seen.add(id ?? '');
        return [];
      }
      const message = `The ${id} stands twice in this list, and the last one is used. Remove one of them.`;
      return [finding(`${pointer}/parameters/${index}`, message)];
    });
  });
