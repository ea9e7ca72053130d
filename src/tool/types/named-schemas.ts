/** The schemas of a document as the printers need them: the parts of each, and the names of those that have types of their own. */

import { groupBy } from '../../base/group-by';
import { pointerTo } from '../../base/json-pointer';
import type { Operation } from '../../model/operation';
import { constraintsOf, type JsonType, type Schema } from '../../model/schema';
import { memberKeywords, type SchemaView, viewOf } from '../../schema/schema-view';
import { pascalCase } from './type-names';

/** The direction of a message: requests carry no `readOnly` properties, responses no `writeOnly` ones. */
export type TypeDirection = 'request' | 'response';

/** A schema that has a type of its own. */
export interface NamedSchema {
  readonly schema: Schema;
  /** The name under components/schemas; undefined for a schema elsewhere. */
  readonly component: string | undefined;
  /** The names of its types: two where requests and responses carry its values differently. */
  readonly names: Readonly<Record<TypeDirection, string>>;
}

/** The schemas of a document that have types of their own. */
export interface NamedSchemas {
  /** Those under components/schemas in the document's order, and then those elsewhere. */
  readonly all: readonly NamedSchema[];
  /** By schema; of two names under components/schemas for one schema the one that it stands at. */
  readonly bySchema: ReadonlyMap<Schema, NamedSchema>;
}

/** The schemas that a value itself must fit, not those of its members. */
export const branchesOf = (schema: Schema): readonly Schema[] => [
  ...schema.members,
  ...schema.oneOf,
  ...schema.anyOf,
  ...[schema.if, schema.ifTrue, schema.ifFalse].filter((branch) => branch !== undefined),
];

const innerSchemas = (schema: Schema): readonly Schema[] => [
  ...branchesOf(schema),
  ...schema.prefixItems,
  ...(schema.properties?.values() ?? []),
  ...(schema.patternProperties?.values() ?? []),
  ...[
    schema.items,
    schema.unevaluatedItems,
    schema.additionalProperties,
    schema.unevaluatedProperties,
  ].filter((inner) => inner !== undefined),
];

/** The type of values: the first that is named, else the one that keywords for members imply. */
export const typeOf = (view: SchemaView): JsonType | undefined =>
  view.namedType ?? view.impliedType(memberKeywords);

/** Tells whether messages of a direction carry a property (OAS 3.0.3, Schema Object, readOnly and writeOnly). */
export const travels = (property: Schema, direction: TypeDirection): boolean =>
  !viewOf(property).isMarked(direction === 'request' ? 'readOnly' : 'writeOnly');

/** The schemas that hold each schema, by all ways that lead to it from given ones. */
type Holders = ReadonlyMap<Schema, readonly Schema[]>;

const holdersFrom = (roots: readonly Schema[]): Holders => {
  const holders = new Map(roots.map((schema): [Schema, Schema[]] => [schema, []]));
  // Schemas that are added while others are looked at are looked at, too.
  for (const [schema] of holders) {
    for (const inner of innerSchemas(schema)) {
      const known = holders.get(inner);
      if (known === undefined) holders.set(inner, [schema]);
      else known.push(schema);
    }
  }
  return holders;
};

/** Finds the schemas whose values requests and responses carry differently, at any depth. */
const differingByDirection = (holders: Holders): ReadonlySet<Schema> => {
  const hasOneWayProperties = ({ properties }: Schema): boolean =>
    [...(properties?.values() ?? [])].some(
      (property) => !travels(property, 'request') || !travels(property, 'response'),
    );
  const found = new Set([...holders.keys()].filter(hasOneWayProperties));
  for (const schema of found) for (const holder of holders.get(schema) ?? []) found.add(holder);
  return found;
};

const heldSchemas = (operations: readonly Operation[]): readonly Schema[] => {
  const holders = operations.flatMap(({ parameters, requestBody, responses }) => [
    ...[...parameters, ...responses.flatMap(({ headers }) => headers)],
    ...[...(requestBody?.content ?? []), ...responses.flatMap(({ content }) => content)].flatMap(
      ({ pointer, schema, itemSchema }) => [
        { pointer, schema },
        { pointer: `${pointer}/itemSchema`, schema: itemSchema },
      ],
    ),
  ]);
  const byPlace = new Map(holders.map(({ pointer, schema }) => [pointer, schema]));
  return [...byPlace.values()].filter((schema) => schema !== undefined);
};

/** Names the schemas: `User`, and `UserResponse` where responses carry less or more than requests. */
export const nameSchemas = (
  components: ReadonlyMap<string, Schema>,
  operations: readonly Operation[],
  chooseName: (wanted: string) => string,
): NamedSchemas => {
  const known = new Set(components.values());
  const held = heldSchemas(operations);
  const holders = holdersFrom([...known, ...held]);
  const heldTimes = groupBy(held, (schema) => schema);
  // Those that several places share, or that hold themselves: written out at each place they would be repeated exponentially often
  // where one leads to others.
  const elsewhere = [...holders].flatMap(([schema, within]) => {
    const places = within.length + (heldTimes.get(schema)?.length ?? 0);
    const isShared = !known.has(schema) && places > 1 && constraintsOf(schema).length > 0;
    return isShared ? [schema] : [];
  });
  const differing = differingByDirection(holders);
  const places = [
    ...[...components].map(([name, schema]) => ({ component: name, schema, wanted: name })),
    ...elsewhere.map((schema) => {
      const place = schema.pointer.replace(/^\/(?:components\/\w+\/)?/, '');
      // `ItemPropertiesTag` for `/components/schemas/Item/properties/tag`.
      const wanted = pascalCase(place.replaceAll(/~[01]|\$/g, ' '));
      return { component: undefined, schema, wanted };
    }),
  ].map(({ wanted, ...place }) => ({ ...place, request: chooseName(wanted) }));
  const all = places.map(({ request, ...place }) => {
    const response = differing.has(place.schema) ? chooseName(`${request}Response`) : request;
    return { ...place, names: { request, response } };
  });
  // A component that is only a reference to another one has that one's schema.
  const isReference = ({ component, schema }: NamedSchema): boolean =>
    component !== undefined && pointerTo('/components/schemas', component) !== schema.pointer;
  const owners = [
    ...all.filter(isReference).reverse(),
    ...all.filter((named) => !isReference(named)),
  ];
  return { all, bySchema: new Map(owners.map((owner) => [owner.schema, owner])) };
};
