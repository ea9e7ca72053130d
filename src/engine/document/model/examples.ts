/** The examples that a Media Type Object, Parameter Object or Header Object gives (OAS 3.0.3, Example Object). */

import { isPlainObject } from '../../lang/plain-object';
import type { SchemaFields } from '../../schema/schema-fields';
import type { References } from '../references/references';

/** One example, as the document spells it. */
export interface DeclaredExample {
  /** Its key under `examples`; undefined for a lone `example`. */
  readonly name: string | undefined;
  readonly value: unknown;
}

/** The Example Object; undefined where there is none. A bad example takes nothing out of service. */
const exampleObject = (entry: unknown, references: References): SchemaFields | undefined => {
  const example: unknown = isPlainObject(entry) ? references.find(entry) : undefined;
  return isPlainObject(example) ? example : undefined;
};

/** Lists `example` and then `examples`; an `externalValue` is not fetched. */
export const examplesOf = (
  holder: { readonly example?: unknown; readonly examples?: unknown },
  references: References,
): readonly DeclaredExample[] => {
  const lone = holder.example === undefined ? [] : [{ name: undefined, value: holder.example }];
  const named = isPlainObject(holder.examples) ? Object.entries(holder.examples) : [];
  return [
    ...lone,
    ...named.flatMap(([name, entry]) => {
      const value = exampleObject(entry, references)?.['value'];
      return value === undefined ? [] : [{ name, value }];
    }),
  ];
};
