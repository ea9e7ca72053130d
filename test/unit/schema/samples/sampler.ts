/** Samples of schemas given inline, and whether the engine's own validator accepts them. */

import type { Dialect } from '../../../../src/document/versions/schema-keywords';
import { schemaContext } from '../../../../src/engine/media-types/schema-context';
import { type Sample, sampleValue } from '../../../../src/schema/samples/sample-value';
import { schemasOf } from '../../../support/schemas';

/** The sample of a schema. */
export const sample = (schema: unknown, schemas: object = {}): Sample =>
  sampleValue(schemasOf(schemas)(schema), schemaContext());

/** The value of a sample and its faults as a response. */
export const checkedSample = (
  schema: unknown,
  schemas: object = {},
  dialect?: Dialect,
): { readonly value: unknown; readonly faults: readonly object[] } => {
  const tools = schemaContext();
  const read = schemasOf(schemas, dialect)(schema);
  const made = sampleValue(read, tools);
  if ('reason' in made) throw new Error(made.reason);
  const validate = tools.validators.validatorOf(read, 'response');
  return { value: made.value, faults: validate(made.value) };
};

/** A reference to a component. */
export const refTo = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
