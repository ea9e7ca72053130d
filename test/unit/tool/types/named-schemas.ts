/** Component schemas as the printers are given them, from Schema Objects. */

import type { Schema } from '../../../../src/model/schema';
import { type NamedSchemas, nameSchemas } from '../../../../src/tool/types/named-schemas';
import { typeNames } from '../../../../src/tool/types/type-names';
import { schemasOf } from '../../../support/schemas';
import { refTo } from '../../schema/validation/validators-of';

export const namedSchemas = (
  components: Readonly<Record<string, object>>,
  read: (schema: unknown) => Schema = schemasOf(components),
): NamedSchemas => {
  const schemas = Object.keys(components).map((name) => [name, read(refTo(name))] as const);
  return nameSchemas(new Map(schemas), [], typeNames());
};
