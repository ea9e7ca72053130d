/** What the members of one allOf say together of a value, so that each member can be read in the light of the others. */

import { isFields, readList, type SchemaFields } from './checks/schema-fields';
import { followReferences, type Mode, type SchemaSource } from './checks/schema-source';
import type { Representation } from './checks/type-check';

/** Facts that hold for a schema and for whatever is applied to the same value beneath it. */
export interface SchemaInfo {
  /** Properties that `required` does not require in this direction, also where an alternative alone says so. */
  readonly unrequired: ReadonlySet<string>;
  /** Properties that are not looked at in this direction, because they are dropped. */
  readonly unchecked: ReadonlySet<string>;
  readonly representation: Representation;
}

/** Nothing known. */
export const noSchemaInfo: SchemaInfo = {
  unrequired: new Set(),
  unchecked: new Set(),
  representation: undefined,
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

const certain = ['allOf'] as const;
const possible = ['allOf', 'anyOf', 'oneOf'] as const;

/** The schema and all that it brings in by these keywords, each once, however the references run. */
const membersOf = (
  schema: unknown,
  keywords: readonly string[],
  source: SchemaSource,
): ReadonlySet<SchemaFields> => {
  const members = new Set<SchemaFields>();
  const add = (given: unknown): void => {
    const member = followReferences(given, source);
    if (members.has(member)) return;
    members.add(member);
    for (const keyword of keywords) readList(member, keyword)?.forEach(add);
  };
  add(schema);
  return members;
};

const representationOf = ({ format }: SchemaFields): Representation =>
  format === 'int64' || format === 'binary' ? format : undefined;

const flaggedProperties = (
  members: ReadonlySet<SchemaFields>,
  flags: readonly Flag[],
  source: SchemaSource,
): string[] => {
  if (flags.length === 0) return [];
  const isFlagged = (property: unknown) =>
    [...membersOf(property, certain, source)].some((member) =>
      flags.some((flag) => member[flag] === true),
    );
  return [...members].flatMap(({ properties }) =>
    isFields(properties)
      ? Object.entries(properties).flatMap(([name, schema]) => (isFlagged(schema) ? [name] : []))
      : [],
  );
};

/**
 * The facts of a schema, added to those of the schemas around it.
 * @param around facts of the schema that applies this one to the same value
 */
export const schemaInfo = (
  schema: SchemaFields,
  mode: Mode,
  source: SchemaSource,
  around: SchemaInfo,
): SchemaInfo => {
  const members = membersOf(schema, certain, source);
  const { unrequired, unchecked } = flagsOf[mode];
  const optional = flaggedProperties(membersOf(schema, possible, source), unrequired, source);
  const ignored = flaggedProperties(members, unchecked, source);
  const representations = [...members].map(representationOf);
  return {
    unrequired: new Set([...around.unrequired, ...optional]),
    unchecked: new Set([...around.unchecked, ...ignored]),
    representation: representations.find((found) => found !== undefined) ?? around.representation,
  };
};
