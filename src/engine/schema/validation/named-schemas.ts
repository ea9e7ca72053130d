/** Gives schemas their ids and translations, each once. */

import { drawFrom } from '../../../base/fuel';
import { lazy, memoizePairs } from '../../../base/memoize';
import { followReference, type SchemaFields } from '../schema-parts';
import type { Mode, SchemaSource } from '../shape';
import { type JsonSchema, translateSchema } from './json-schema';

/** The schemas of one document under their ids. */
interface NamedSchemas {
  idOf(schema: unknown, mode: Mode): string;
  /** Throws where the schema is invalid; those that it refers to are not looked into. */
  jsonSchemaOf(id: string): JsonSchema;
}

/** The register of one document. A schema's identity is its object's; a reference is what it leads to. */
export const namedSchemas = (source: SchemaSource): NamedSchemas => {
  const translations = new Map<string, () => JsonSchema>();
  const idOf = memoizePairs((schema: SchemaFields, mode: Mode): string => {
    const id = `schema:${translations.size}`;
    const own = { resolve: (ref: string) => source.resolve(ref), idOf };
    translations.set(
      id,
      lazy(() => drawFrom(undefined, () => translateSchema(schema, mode, own))),
    );
    return id;
  });
  return {
    idOf: (given, mode) => idOf(followReference(given, source).schema, mode),
    jsonSchemaOf(id) {
      const translation = translations.get(id);
      if (translation === undefined) throw new Error(`The schema ${id} is not known.`);
      return translation();
    },
  };
};
