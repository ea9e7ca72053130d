/** Gives schemas their ids and translations, each once, and finds all that one of them needs. */

import { memoizePairs } from '../../lang/memoize';
import { followReference, type SchemaFields } from '../schema-parts';
import type { Mode, SchemaSource } from '../shape';
import { type JsonSchema, translateSchema } from './json-schema';
import type { NamedSchema } from './keywords';

interface Entry {
  readonly id: string;
  readonly schema: SchemaFields;
  readonly mode: Mode;
  translation: { readonly jsonSchema: JsonSchema; readonly needs: readonly Entry[] } | undefined;
}

/** The named schemas that a schema consists of, itself first. Throws where any of them is invalid. */
type SchemaClosure = (schema: unknown, mode: Mode) => readonly [NamedSchema, ...NamedSchema[]];

/** The register of one document. A schema's identity is its object's; a reference is what it leads to. */
export const namedSchemas = (source: SchemaSource): SchemaClosure => {
  let count = 0;
  const entryOf = memoizePairs(
    (schema: SchemaFields, mode: Mode): Entry => ({
      id: `schema:${count++}`,
      schema,
      mode,
      translation: undefined,
    }),
  );

  const translate = ({ schema, mode }: Entry): NonNullable<Entry['translation']> => {
    const needs = new Set<Entry>();
    const jsonSchema = translateSchema(schema, mode, {
      resolve: (ref) => source.resolve(ref),
      idOf(part, partMode) {
        const entry = entryOf(part, partMode);
        needs.add(entry);
        return entry.id;
      },
    });
    return { jsonSchema, needs: [...needs] };
  };

  const named = (entry: Entry): NamedSchema => {
    entry.translation ??= translate(entry);
    return { id: entry.id, jsonSchema: entry.translation.jsonSchema };
  };

  return (given, mode) => {
    const root = entryOf(followReference(given, source).schema, mode);
    const first = named(root);
    const found = new Set([root]);
    const others: NamedSchema[] = [];
    // A set that grows while it is walked is walked to its end.
    for (const entry of found) {
      if (entry !== root) others.push(named(entry));
      for (const need of entry.translation?.needs ?? []) found.add(need);
    }
    return [first, ...others];
  };
};
