/** The values that schemas give themselves: examples, defaults and enums, as typed values. */

import { compileCoercion } from '../../schema/coercion';
import type { Schema, ShapeOf } from '../../schema/shape';
import { valueKey } from '../../schema/validation/checks/value-key';
import { keywordOf, type SamplePlan } from './sample-plan';

/** Turns a value as the document spells it into the one that validation and writers work with. */
export type TypeValue = (value: unknown) => unknown;

/** A value that the document spells as JSON, by the shape of its schema. */
export const typedValue = (schema: Schema, shapeOf: ShapeOf): TypeValue =>
  compileCoercion(shapeOf(schema), 'storage');

/** Examples, then defaults. */
export const exemplaryValues = (plan: SamplePlan): unknown[] => [
  ...keywordOf(plan, 'example'),
  ...keywordOf(plan, 'default'),
];

/** The members that all enums share; undefined where there is no enum. */
export const enumeratedValues = (plan: SamplePlan): unknown[] | undefined => {
  const [first, ...others] = keywordOf(plan, 'enum').filter(Array.isArray);
  if (first === undefined) return undefined;
  const allowed = others.map((values) => new Set(values.map(valueKey)));
  return first.filter((value) => allowed.every((keys) => keys.has(valueKey(value))));
};
