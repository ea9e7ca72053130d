/** What the members of one allOf say together of a value, so that each member can be read in the light of the others. */

import { isPlainObject } from '../../../base/plain-object';
import { addMembers, type SchemaFields, type SchemaPart } from '../schema-parts';
import type { Mode, SchemaSource } from '../shape';
import type { Representation } from './checks/type-check';

/** What holds for a schema and for whatever is applied to the same value beneath it. */
export interface SchemaInfo {
  /** Properties that `required` does not require in this direction, also where an alternative alone says so. */
  readonly unrequired: ReadonlySet<string>;
  /** Properties that are not looked at in this direction, because they are dropped. */
  readonly unchecked: ReadonlySet<string>;
  readonly representation: Representation;
  /** Whether the value is one that no message repeats. */
  readonly secret: boolean;
}

/** Nothing known. */
export const noSchemaInfo: SchemaInfo = {
  unrequired: new Set(),
  unchecked: new Set(),
  representation: undefined,
  secret: false,
};

type Flag = 'readOnly' | 'writeOnly';

/** OAS 3.0.3, Schema Object: `readOnly` travels in responses alone, `writeOnly` in requests alone. */
const flagsOf: Readonly<Record<Mode, { readonly unrequired: Flag[]; readonly unchecked: Flag[] }>> =
  {
    request: { unrequired: ['readOnly'], unchecked: ['readOnly'] },
    response: { unrequired: ['writeOnly'], unchecked: ['writeOnly'] },
    storage: { unrequired: [], unchecked: [] },
    any: { unrequired: ['readOnly', 'writeOnly'], unchecked: [] },
  };

const possible = ['allOf', 'anyOf', 'oneOf'] as const;

const representationOf = ({ format }: SchemaFields): Representation =>
  format === 'int64' || format === 'binary' ? format : undefined;

/** What is declared as a password, or is never answered. */
const isSecret = ({ format, writeOnly }: SchemaFields): boolean =>
  format === 'password' || writeOnly === true;

const flaggedProperties = (
  members: ReadonlySet<SchemaPart>,
  flags: readonly Flag[],
  source: SchemaSource,
): string[] => {
  if (flags.length === 0) return [];
  const isFlagged = (property: unknown): boolean =>
    [...addMembers(new Set(), property, source)].some((member) =>
      flags.some((flag) => member[flag] === true),
    );
  return [...members].flatMap(({ properties }) =>
    isPlainObject(properties)
      ? Object.entries(properties).flatMap(([name, schema]) => (isFlagged(schema) ? [name] : []))
      : [],
  );
};

/**
 * What a schema says, added to what the schemas around it do.
 * @param around that of the schema that applies this one to the same value
 */
export const schemaInfo = (
  schema: SchemaFields,
  mode: Mode,
  source: SchemaSource,
  around: SchemaInfo,
): SchemaInfo => {
  const members = addMembers(new Set(), schema, source);
  const alternatives = addMembers(new Set(), schema, source, possible);
  const { unrequired, unchecked } = flagsOf[mode];
  const optional = flaggedProperties(alternatives, unrequired, source);
  const ignored = flaggedProperties(members, unchecked, source);
  const representations = [...members].map(representationOf);
  return {
    unrequired: new Set([...around.unrequired, ...optional]),
    unchecked: new Set([...around.unchecked, ...ignored]),
    secret: [...alternatives].some(isSecret),
    representation: representations.find((found) => found !== undefined) ?? around.representation,
  };
};
