/** Plans of values to sample: the schemas that one value must fit, and the choices that they leave. */

import { memoize } from '../../base/memoize';
import { type JsonType, type Schema, schemaOf } from '../../model/schema';
import { sharedTypes } from '../choices';
import { compileCoercion } from '../coercion';
import { addMembers } from '../schema-parts';
import type { ShapeOf } from '../shape';

/** A choice among schemas. */
type Union = readonly Schema[];

/** Schemas that the same value must fit: those asked for, those that hold together with them and the chosen branches. */
export interface SamplePlan {
  readonly parts: readonly Schema[];
  /** The choices among them of which no branch has been taken yet. */
  readonly unions: readonly Union[];
  /** The schemas as they were asked for. */
  readonly roots: readonly Schema[];
  /** The name under components/schemas by which the value was reached, if any. */
  readonly component: string | undefined;
}

/** Returns the schema of everything that a plan was asked for. */
export const wholeSchema = ({ roots }: SamplePlan): Schema => {
  const [only] = roots;
  return only !== undefined && roots.length === 1 ? only : schemaOf({ members: roots });
};

const unionsOf = ({ oneOf, anyOf }: Schema): readonly Union[] =>
  [oneOf, anyOf].filter((branches) => branches.length > 0);

/** Lists the choices of a schema that no union spells: whether a condition holds, and whether a property is there. */
const conditionsOf = memoize((schema: Schema): readonly Union[] => {
  const { if: condition, ifTrue, ifFalse, dependentRequired, dependentSchemas } = schema;
  const choice = (...branches: readonly Partial<Schema>[]): Union => branches.map(schemaOf);
  const without = (name: string) => ({ properties: new Map([[name, schemaOf({ types: [] })]]) });
  const decides = condition !== undefined && (ifTrue ?? ifFalse) !== undefined;
  return [
    ...(decides
      ? [
          choice(
            { members: [condition, ifTrue ?? []].flat() },
            { not: condition, members: [ifFalse ?? []].flat() },
          ),
        ]
      : []),
    ...[...(dependentRequired ?? [])].map(([name, names]) =>
      choice({ required: [name, ...names] }, without(name)),
    ),
    ...[...(dependentSchemas ?? [])].map(([name, inner]) =>
      choice({ required: [name], members: [inner] }, without(name)),
    ),
  ];
});

/** Adds schemas to those that hold together. */
const extended = (
  parts: readonly Schema[],
  unions: readonly Union[],
  schemas: readonly Schema[],
): Pick<SamplePlan, 'parts' | 'unions'> => {
  const all = new Set(parts);
  for (const schema of schemas) addMembers(all, schema);
  const added = [...all].slice(parts.length);
  return {
    parts: [...all],
    unions: [...unions, ...added.flatMap(unionsOf), ...added.flatMap((one) => conditionsOf(one))],
  };
};

/** Makes the plan of a value that must fit all of the schemas; of none: any value. */
export const planOf = (schemas: readonly Schema[]): SamplePlan => ({
  ...extended([], [], schemas),
  roots: schemas,
  component: schemas.find(({ component }) => component)?.component,
});

const ofType = memoize((type: JsonType) => schemaOf({ types: [type] }), { max: 7 });

/** Makes a plan for each branch of the first open union, in the document's order; else for each of several types but null. */
export const choicesOf = (plan: SamplePlan): SamplePlan[] => {
  const [union, ...unions] = plan.unions;
  if (union !== undefined) {
    return union.map((branch) => ({
      ...plan,
      ...extended(plan.parts, unions, [branch]),
      component: branch.component ?? plan.component,
    }));
  }
  const types = (sharedTypes(plan.parts) ?? []).filter((type) => type !== 'null');
  if (types.length < 2) return [];
  return types.map((type) => ({ ...plan, parts: [...plan.parts, ofType(type)] }));
};

/** Lists the values of one keyword, in the order of the parts that have it. */
export const keywordValues = <Keyword extends keyof Schema>(
  { parts }: SamplePlan,
  keyword: Keyword,
): NonNullable<Schema[Keyword]>[] =>
  parts.map((part) => part[keyword]).filter((value) => value !== undefined && value !== null);

/** Makes the function that types values that the document spells as JSON. */
export const typedValue = (schema: Schema, shapeOf: ShapeOf): ((value: unknown) => unknown) =>
  compileCoercion(shapeOf(schema), 'storage');

/** Lists examples, then defaults. */
export const exemplaryValues = ({ parts }: SamplePlan): unknown[] => [
  ...parts.flatMap(({ examples }) => examples),
  ...parts.map((part) => part.default).filter((value) => value !== undefined),
];
