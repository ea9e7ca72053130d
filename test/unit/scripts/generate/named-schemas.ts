/** Component schemas as the printers are given them, from plain values. */

import { nameSchemas } from '../../../../scripts/generate/print-components';
import type { NamedSchemas, Schema } from '../../../../scripts/generate/schema-source';
import { typeNames } from '../../../../scripts/generate/type-names';

export const namedSchemas = (
  components: Readonly<Record<string, Schema>>,
  elsewhere: Readonly<Record<string, Schema>> = {},
): NamedSchemas => {
  const byName = new Map(Object.entries(components));
  const byRef = new Map(Object.entries(elsewhere));
  const source = {
    components: byName,
    resolve: (ref: string) =>
      byName.get(ref.replace('#/components/schemas/', '')) ?? byRef.get(ref),
  };
  return nameSchemas(source, typeNames());
};
