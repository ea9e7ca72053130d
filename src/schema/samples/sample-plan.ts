/** Plans of values to sample: the schemas that one value must fit, and the choices that they leave. */

import { memoize } from '../../base/memoize';
import { type JsonType, type Schema, schemaOf } from '../../model/schema';
import { compileCoercion } from '../coercion';
import { addMembers } from '../schema-parts';
import { SchemaView } from '../schema-view';
import type { ShapeOf } from '../shape';

/** A choice among schemas. */
type Union = readonly Schema[];

/** Schemas that the same value must fit: those asked for, those that hold together with them and the chosen branches. */
export class SamplePlan extends SchemaView {
  /** The choices among them of which no branch has been taken yet. */
  readonly unions: readonly Union[];
  /** The schemas as they were asked for. */
  readonly roots: readonly Schema[];
  /** The name under components/schemas by which the value was reached, if any. */
  readonly component: string | undefined;

  constructor(
    parts: readonly Schema[],
    unions: readonly Union[],
    { roots, component }: Pick<SamplePlan, 'roots' | 'component'>,
  ) {
    super(parts);
    this.unions = unions;
    this.roots = roots;
    this.component = component;
  }

  get format(): string | undefined {
    // OAS 3.1.2, Data Type Format: base64 was the format byte before it was an encoding.
    const isBase64 = this.values('contentEncoding').some((encoding) => /^base64$/i.test(encoding));
    return this.values('format')[0] ?? (isBase64 ? 'byte' : undefined);
  }

  get patterns(): readonly string[] {
    return this.values('pattern');
  }

  /** The value that a text holds in another format. */
  get content() {
    return {
      mediaType: this.values('contentMediaType')[0] ?? '',
      encoding: this.values('contentEncoding')[0] ?? '',
      schemas: this.values('contentSchema'),
    };
  }

  /** The patterns of patternProperties. */
  get namePatterns(): readonly string[] {
    return this.values('patternProperties').flatMap((all) => [...all.keys()]);
  }

  /** The number of items that a list is made of at least, those with a place of their own before those that it must contain. */
  get leastItems(): number {
    const wanted = this.contained.reduce((sum, { least }) => sum + least, 0);
    const least = wanted === 0 ? 0 : Math.min(this.maxItems, this.positions + wanted);
    return Math.max(this.minItems, least);
  }

  /** Lists the schemas of the first items of a list, those that it must contain behind the ones with a place of their own. */
  slots(count: number): readonly (readonly Schema[])[] {
    const wanted = this.contained.flatMap(({ schema, least }) =>
      Array.from({ length: Math.min(least, count) }, () => schema),
    );
    const first = Math.max(0, Math.min(this.positions, count - wanted.length));
    return Array.from({ length: count }, (_, index) => [
      ...(this.itemAt(index) ?? []),
      ...(index < first ? [] : wanted.slice(index - first, index - first + 1)),
    ]);
  }
}

/** Returns the schema of everything that a plan was asked for. */
export const wholeSchema = ({ roots }: Pick<SamplePlan, 'roots'>): Schema => {
  const [only] = roots;
  return only !== undefined && roots.length === 1 ? only : schemaOf({ members: roots });
};

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
  origin: Pick<SamplePlan, 'roots' | 'component'>,
): SamplePlan => {
  const all = new Set(parts);
  for (const schema of schemas) addMembers(all, schema);
  const added = [...all].slice(parts.length);
  const spelled = added.flatMap(({ oneOf, anyOf }) => [oneOf, anyOf]);
  const more = [
    ...spelled.filter(({ length }) => length > 0),
    ...added.flatMap((one) => conditionsOf(one)),
  ];
  return new SamplePlan([...all], [...unions, ...more], origin);
};

/** Makes the plan of a value that must fit all of the schemas; of none: any value. */
export const planOf = (schemas: readonly Schema[]): SamplePlan => {
  const component = schemas.find((schema) => schema.component)?.component;
  return extended([], [], schemas, { roots: schemas, component });
};

const ofType = memoize((type: JsonType) => schemaOf({ types: [type] }), { max: 7 });

/** Makes a plan for each branch of the first open union, in the document's order; else for each of several types but null. */
export const choicesOf = (plan: SamplePlan): SamplePlan[] => {
  const { parts, roots } = plan;
  const [union, ...unions] = plan.unions;
  if (union !== undefined) {
    return union.map((branch) => {
      const component = branch.component ?? plan.component;
      return extended(parts, unions, [branch], { roots, component });
    });
  }
  const types = (plan.sharedTypes ?? []).filter((type) => type !== 'null');
  if (types.length < 2) return [];
  return types.map((type) => new SamplePlan([...parts, ofType(type)], [], plan));
};

/** Makes the function that types values that the document spells as JSON. */
export const typedValue = (schema: Schema, shapeOf: ShapeOf): ((value: unknown) => unknown) =>
  compileCoercion(shapeOf(schema), 'storage');

/** Lists examples, then defaults. */
export const exemplaryValues = ({ parts }: Pick<SamplePlan, 'parts'>): unknown[] => [
  ...parts.flatMap(({ examples }) => examples),
  ...parts.map((part) => part.default).filter((value) => value !== undefined),
];
