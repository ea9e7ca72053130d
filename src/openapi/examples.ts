/** The examples that a Media Type Object, Parameter Object or Header Object gives (OAS 3.0.3, Example Object). */

import { type References, UnresolvableReference } from './references';
import { isFields, type SchemaFields } from './validation/schema-fields';

/** One example, as the document spells it. */
export interface DeclaredExample {
  /** Its key under `examples`; undefined for a lone `example`. */
  readonly name: string | undefined;
  readonly value: unknown;
}

/** The Example Object; undefined where there is none. A bad example takes nothing out of service. */
const exampleObject = (entry: unknown, references: References): SchemaFields | undefined => {
  if (!isFields(entry)) return undefined;
  try {
    const example: unknown = references.follow(entry);
    return isFields(example) ? example : undefined;
  } catch (error) {
    if (error instanceof UnresolvableReference) return undefined;
    throw error;
  }
};

/** Lists `example` and then `examples`; an `externalValue` is not fetched. */
export const examplesOf = (
  holder: { readonly example?: unknown; readonly examples?: unknown },
  references: References,
): readonly DeclaredExample[] => {
  const lone = holder.example === undefined ? [] : [{ name: undefined, value: holder.example }];
  const named = isFields(holder.examples) ? Object.entries(holder.examples) : [];
  return [
    ...lone,
    ...named.flatMap(([name, entry]) => {
      const value = exampleObject(entry, references)?.['value'];
      return value === undefined ? [] : [{ name, value }];
    }),
  ];
};
