/** What a sampler knows of a value before it makes one: all schemas that hold together, and the unions still open. */

import {
  fieldsOf,
  isFields,
  readList,
  type SchemaFields,
} from '../../schema/validation/checks/schema-fields';
import { followReferences, type SchemaSource } from '../../schema/validation/checks/schema-source';

/** A oneOf or anyOf of which no branch has been chosen. */
type Branches = readonly unknown[];

/** Schemas that the same value must fit. */
export interface SamplePlan {
  /** The schemas as they were asked for, references followed. */
  readonly roots: readonly SchemaFields[];
  /** The roots, the members of their allOf and the chosen branches. */
  readonly parts: ReadonlySet<SchemaFields>;
  readonly unions: readonly Branches[];
  /** The name under components/schemas by which the value was reached, if any. */
  readonly component: string | undefined;
}

const componentOf = (schema: unknown, source: SchemaSource): string | undefined => {
  const ref = fieldsOf(schema)['$ref'];
  return typeof ref === 'string' ? source.resolve(ref).component : undefined;
};

/** Adds a schema and the members of its allOf. */
const addParts = (parts: Set<SchemaFields>, schema: unknown, source: SchemaSource): void => {
  const part = followReferences(schema, source);
  if (parts.has(part)) return;
  parts.add(part);
  for (const member of readList(part, 'allOf') ?? []) addParts(parts, member, source);
};

const unionsOf = (parts: Iterable<SchemaFields>): Branches[] =>
  [...parts].flatMap((part) =>
    ['oneOf', 'anyOf'].flatMap((keyword) => {
      const branches = readList(part, keyword);
      return branches === undefined ? [] : [branches];
    }),
  );

/** The plan of a value that must fit all of the schemas; of none: any value. */
export const planOf = (schemas: readonly unknown[], source: SchemaSource): SamplePlan => {
  const parts = new Set<SchemaFields>();
  for (const schema of schemas) addParts(parts, schema, source);
  return {
    roots: schemas.map((schema) => followReferences(schema, source)),
    parts,
    unions: unionsOf(parts),
    component: schemas.map((schema) => componentOf(schema, source)).find((name) => name),
  };
};

/** The plans that choosing each branch of the first open union gives, in the document's order. */
export const choicesOf = (plan: SamplePlan, source: SchemaSource): SamplePlan[] => {
  const [branches = [], ...unions] = plan.unions;
  return branches.map((branch) => {
    const parts = new Set(plan.parts);
    addParts(parts, branch, source);
    const added = [...parts].slice(plan.parts.size);
    const component = componentOf(branch, source) ?? plan.component;
    return { ...plan, parts, unions: [...unions, ...unionsOf(added)], component };
  });
};

/** The values of one keyword, in the order of the parts that have it. */
export const keywordOf = ({ parts }: SamplePlan, keyword: string): unknown[] =>
  [...parts].map((part) => part[keyword]).filter((value) => value !== undefined);

const typical: readonly (readonly [string, readonly string[]])[] = [
  ['object', ['properties', 'additionalProperties', 'required', 'minProperties', 'maxProperties']],
  ['array', ['items', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['pattern', 'minLength', 'maxLength', 'format']],
  ['number', ['minimum', 'maximum', 'multipleOf']],
];

/** The type that the schemas name or, by their keywords, speak of; `any` where they say nothing. */
export const typeOf = (plan: SamplePlan): string => {
  const [type] = keywordOf(plan, 'type');
  if (typeof type === 'string') return type;
  const [guess] = typical.filter(([, keywords]) =>
    keywords.some((keyword) => keywordOf(plan, keyword).length > 0),
  );
  return guess?.[0] ?? 'any';
};

/** OAS 3.0.3: null is allowed where every schema that names a type says so; no type at all is `any`'s business. */
export const allowsNull = ({ parts }: SamplePlan): boolean =>
  [...parts].every((part) => part['type'] === undefined || part['nullable'] === true);

/** The names of all declared properties. */
export const declaredNames = (plan: SamplePlan): string[] =>
  keywordOf(plan, 'properties').flatMap((properties) => Object.keys(properties ?? {}));

/** The schemas of one property: what each part declares for the name, else allows for undeclared ones; undefined: none may be. */
export const propertySchemas = ({ parts }: SamplePlan, name: string): unknown[] | undefined => {
  const schemas: unknown[] = [];
  for (const { properties, additionalProperties: additional } of parts) {
    if (isFields(properties) && Object.hasOwn(properties, name)) schemas.push(properties[name]);
    else if (additional === false) return undefined;
    else if (isFields(additional)) schemas.push(additional);
  }
  return schemas;
};
