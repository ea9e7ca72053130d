/** Information that schemas which are applied to the same value hand on to each other: by `readOnly`, `writeOnly` and `format`. */

import { type Schema, schemasInPlace } from '../../model/schema';
import { addMembers } from '../schema-parts';
import { strictView } from '../schema-view';
import type { Mode } from '../shape';
import { patternTest } from './checks/pattern-check';
import { representationOf, type ValueRepresentation } from './checks/type-check';

/** Information on a schema and on all schemas that are applied to the same value beneath it. */
export interface SchemaInfo {
  /** Properties that `required` does not require in this direction, also where an alternative alone says so. */
  readonly unrequired: (name: string) => boolean;
  /** Properties that are not looked at in this direction, because they are dropped. */
  readonly unchecked: ReadonlySet<string>;
  readonly representation: ValueRepresentation;
  /** True where no message may repeat the value. */
  readonly secret: boolean;
}

type Flag = 'readOnly' | 'writeOnly';

/** Flags by mode (OAS 3.0.3, Schema Object): `readOnly` travels in responses alone, `writeOnly` in requests alone. */
const flagsOf: Readonly<Record<Mode, { readonly unrequired: Flag[]; readonly unchecked: Flag[] }>> =
  {
    request: { unrequired: ['readOnly'], unchecked: ['readOnly'] },
    response: { unrequired: ['writeOnly'], unchecked: ['writeOnly'] },
    storage: { unrequired: [], unchecked: [] },
    any: { unrequired: ['readOnly', 'writeOnly'], unchecked: [] },
  };

/** Lists the names, or patterns of names, of the properties that have one of the flags. */
const flaggedProperties = (
  members: ReadonlySet<Schema>,
  keyword: 'properties' | 'patternProperties',
  flags: readonly Flag[],
): string[] => {
  if (flags.length === 0) return [];
  const isFlagged = (property: Schema): boolean => {
    const view = strictView(property);
    return flags.some((flag) => view.isMarked(flag));
  };
  return [...members].flatMap(({ [keyword]: properties = [] }) =>
    [...properties].flatMap(([name, schema]) => (isFlagged(schema) ? [name] : [])),
  );
};

/** Lists the schemas that may hold for the same value, this one among them. */
export const allAlternatives = (schema: Schema): ReadonlySet<Schema> =>
  addMembers(new Set(), schema, schemasInPlace);

/** Lists the properties that schemas declare by name. */
export const namesIn = (schemas: Iterable<Schema>): readonly string[] =>
  [...schemas].flatMap(({ properties }) => [...(properties?.keys() ?? [])]);

/**
 * Adds the information of a schema to that of the schemas around it.
 * @param around the information of the schema that applies this one to the same value
 */
export const schemaInfo = (schema: Schema, mode: Mode, around: SchemaInfo): SchemaInfo => {
  const members = addMembers(new Set(), schema);
  const alternatives = allAlternatives(schema);
  const { unrequired, unchecked } = flagsOf[mode];
  const optional = new Set(flaggedProperties(alternatives, 'properties', unrequired));
  const patterns = flaggedProperties(alternatives, 'patternProperties', unrequired);
  const tests = patterns.map((source) => patternTest(source));
  const ignored = flaggedProperties(members, 'properties', unchecked);
  return {
    unrequired: (name) =>
      optional.has(name) || tests.some((test) => test(name)) || around.unrequired(name),
    unchecked: new Set([...around.unchecked, ...ignored]),
    // What is never sent is secret, too.
    secret: [...alternatives].some(({ format, writeOnly }) => format === 'password' || writeOnly),
    representation:
      representationOf([...members].map(({ format }) => format)) ?? around.representation,
  };
};

/** Lists the schemas that are applied to the very same value. */
export const sameValueSchemas = (schema: Schema): readonly Schema[] => [
  ...schemasInPlace(schema),
  ...(schema.not ? [schema.not] : []),
];

/** Information of the schemas around a member, as far as it makes a difference to the member. */
export interface Surroundings extends Pick<SchemaInfo, 'representation'> {
  readonly unrequired: readonly string[];
  readonly unchecked: readonly string[];
}

/** Nothing around. */
export const noSurroundings: Surroundings = {
  unrequired: [],
  unchecked: [],
  representation: undefined,
};

/** Picks from the information around a member what makes a difference to it, so that equal ones give the same function. */
export const surroundingsOf = (schema: Schema, info: SchemaInfo): Surroundings => {
  const applied = [...addMembers(new Set(), schema, sameValueSchemas)];
  const required = applied.flatMap((part) => [
    ...part.required,
    ...[...(part.dependentRequired?.values() ?? [])].flat(),
  ]);
  return {
    unrequired: [...new Set(required.filter(info.unrequired))],
    unchecked: [...new Set(namesIn(applied).filter((name) => info.unchecked.has(name)))],
    representation: info.representation,
  };
};

/** Returns the information of a member by itself, from its surroundings. */
export const infoOf = ({ unrequired, unchecked, representation }: Surroundings): SchemaInfo => ({
  unrequired: (name) => unrequired.includes(name),
  unchecked: new Set(unchecked),
  representation,
  secret: false,
});
