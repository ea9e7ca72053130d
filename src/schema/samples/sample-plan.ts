/** Plans of values to sample, and the check of candidates. */

import { lazy } from '../../base/memoize';
import { constraintsOf, isNever, type Schema, schemaOf } from '../../model/schema';
import { compileCoercion } from '../coercion';
import { partsOf, type SchemaParts, withSchemas } from '../schema-parts';
import type { ShapeOf } from '../shape';
import { valueKey } from '../validation/checks/equality-checks';
import type { Check } from '../validation/checks/type-check';
import { checksOf } from '../validation/checks-of';
import type { Schemas } from '../validation/schemas';

/** Schemas that the same value must fit: those asked for, the members of their allOf and the chosen branches. */
export interface SamplePlan extends SchemaParts {
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

/** Makes the plan of a value that must fit all of the schemas; of none: any value. */
export const planOf = (schemas: readonly Schema[]): SamplePlan => ({
  ...partsOf(schemas),
  roots: schemas,
  component: schemas.find(({ component }) => component)?.component,
});

/** Makes a plan for each branch of the first open union, in the document's order. */
export const choicesOf = (plan: SamplePlan): SamplePlan[] => {
  const [union, ...unions] = plan.unions;
  return (union?.branches ?? []).map((branch) => ({
    ...plan,
    ...withSchemas({ parts: plan.parts, unions }, [branch]),
    component: branch.component ?? plan.component,
  }));
};

/** Lists the values of one keyword, in the order of the parts that have it. */
export const keywordValues = <Keyword extends keyof Schema>(
  { parts }: SamplePlan,
  keyword: Keyword,
): NonNullable<Schema[Keyword]>[] =>
  parts.map((part) => part[keyword]).filter((value) => value !== undefined && value !== null);

/** Tells whether a schema of the plan says something by a keyword. */
const says = (plan: SamplePlan, keyword: keyof Schema): boolean =>
  plan.parts.some((part) => constraintsOf(part).includes(keyword));

const typical: readonly (readonly [string, readonly (keyof Schema)[]])[] = [
  ['object', ['properties', 'additionalProperties', 'required', 'minProperties', 'maxProperties']],
  ['array', ['items', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['pattern', 'minLength', 'maxLength', 'format']],
  ['number', ['minimum', 'maximum', 'multipleOf']],
];

/** Returns the type that the schemas name or, by their keywords, imply; `any` where they say nothing. */
export const impliedType = (plan: SamplePlan): string => {
  const [types] = keywordValues(plan, 'types');
  const type = types?.find((one) => one !== 'null');
  if (type !== undefined) return type;
  const [guess] = typical.filter(([, keywords]) => keywords.some((one) => says(plan, one)));
  return guess?.[0] ?? 'any';
};

/** Tells whether every schema that names a type allows null; without a type `any` covers it. */
export const allowsNull = ({ parts }: SamplePlan): boolean =>
  parts.every(({ types }) => types?.includes('null') ?? true);

/** Lists the names of all declared properties. */
export const declaredNames = (plan: SamplePlan): string[] =>
  keywordValues(plan, 'properties').flatMap((properties) => [...properties.keys()]);

/** Lists the schemas of one property, declared by name or for undeclared ones; undefined where it is not allowed. */
export const propertySchemas = ({ parts }: SamplePlan, name: string): Schema[] | undefined => {
  const schemas: Schema[] = [];
  for (const { properties, additionalProperties: additional } of parts) {
    const schema = properties?.get(name) ?? additional;
    if (schema === undefined) continue;
    if (isNever(schema)) return undefined;
    schemas.push(schema);
  }
  return schemas;
};

/** Makes the function that types values that the document spells as JSON. */
export const typedValue = (schema: Schema, shapeOf: ShapeOf): ((value: unknown) => unknown) =>
  compileCoercion(shapeOf(schema), 'storage');

/** Lists examples, then defaults. */
export const exemplaryValues = (plan: SamplePlan): unknown[] => [
  ...keywordValues(plan, 'examples').flat(),
  ...keywordValues(plan, 'default'),
];

/** Lists the members that all enums share; undefined where there is no enum. */
export const enumeratedValues = (plan: SamplePlan): unknown[] | undefined => {
  const [first, ...others] = keywordValues(plan, 'enum');
  if (first === undefined) return undefined;
  const allowed = others.map((values) => new Set(values.map(valueKey)));
  return first.filter((value) => allowed.every((keys) => keys.has(valueKey(value))));
};

/** The check of a candidate. */
export type Fits = (value: unknown) => boolean;

const fitsWhole = (plan: SamplePlan, { validators }: Schemas): Fits => {
  const accepts = lazy(() => validators.accepts(wholeSchema(plan), 'response'));
  return (value) => accepts()(value);
};

/** Makes the checks of the value itself; for a scalar without a union these are all. */
export const ownChecks = (plan: SamplePlan): readonly Check[] => {
  const inherited = keywordValues(plan, 'format').find(
    (format) => format === 'int64' || format === 'binary',
  );
  return plan.parts.flatMap((part) => checksOf(part, inherited));
};

/** Tells whether more than those checks decide. */
export const isOpen = (plan: SamplePlan): boolean =>
  plan.unions.length > 0 || keywordValues(plan, 'not').length > 0;

export const isScalar = (plan: SamplePlan): boolean =>
  !['object', 'array', 'any'].includes(impliedType(plan));

/**
 * Makes the checks of a plan: of values of the document, and of sampled values, whose parts fit already, so that the whole is
 * only checked where a union or `not` can still refuse it.
 */
export const fitsOf = (
  plan: SamplePlan,
  context: Schemas,
): { readonly given: Fits; readonly made: Fits } => {
  const whole = fitsWhole(plan, context);
  if (isOpen(plan)) return { given: whole, made: whole };
  const checks = ownChecks(plan);
  const own: Fits = (value) => checks.every((check) => check.accepts(value));
  return { given: isScalar(plan) ? own : whole, made: own };
};
