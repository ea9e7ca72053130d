/** Schemas of the model, read from Schema Objects that stand in tests. */

import { dynamicScopes, schemaReader } from '../../src/document/read/read-schema';
import { References } from '../../src/document/references/references';
import { openApi30 } from '../../src/document/versions/schema-keywords';
import type { Schema } from '../../src/model/schema';

/** Makes the reader of Schema Objects that may refer to these components; the same object always gives the same schema. */
export const schemasOf = (
  components: object = {},
  dialect = openApi30,
): ((schema: unknown) => Schema) => {
  const none = new Map<never, never>();
  const references = new References(
    { components: { schemas: components } },
    { componentNames: none, reasons: none, resolved: none },
  );
  const read = schemaReader(references, dialect, {
    scopes: dynamicScopes({ of: () => undefined }, none),
    dialectOf: () => undefined,
    isOctets: () => false,
    hasDefaultMapping: false,
  });
  return (schema) => read(schema, '/given');
};
