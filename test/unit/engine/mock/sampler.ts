/** Samples of schemas given inline, and whether the engine's own validator accepts them. */

import {
  type SchemaContext,
  schemaContext,
} from '../../../../src/engine/document/model/schema-context';
import { referencesOf } from '../../../../src/engine/document/references/references';
import { type Sample, sampleValue } from '../../../../src/engine/mock/samples/sample-value';
import type { Schema } from '../../../../src/engine/schema/shape';

/** The tools of a document with these component schemas. */
export const toolsOf = (schemas: object = {}): SchemaContext =>
  schemaContext({ references: referencesOf({ components: { schemas } }) });

/** The sample of a schema. */
export const sample = (schema: object, schemas: object = {}): Sample =>
  sampleValue(schema as Schema, toolsOf(schemas));

/** The value of a sample and its faults as a response. */
export const checkedSample = (
  schema: object,
  schemas: object = {},
): { readonly value: unknown; readonly faults: readonly object[] } => {
  const tools = toolsOf(schemas);
  const made = sampleValue(schema as Schema, tools);
  if ('reason' in made) throw new Error(made.reason);
  const validate = tools.validators.validatorOf(schema as Schema, 'response');
  return { value: made.value, faults: validate(made.value) };
};

/** A reference to a component. */
export const refTo = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
