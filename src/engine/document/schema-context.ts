/** The tools that a document's operations are compiled with: shapes, validators, and codecs for stored text. */

import { compileShapes } from '../schema/compile-shapes';
import type { Schema, ShapeOf } from '../schema/shape';
import { compileValidators, type Validators } from '../schema/validation/compile-validators';
import type { ApiDocument } from './document';

/** One document's shapes and validators, each worked out once. */
export interface SchemaContext {
  readonly shapeOf: ShapeOf;
  readonly validators: Validators;
}

/** Sets the tools up; nothing is compiled before its first use. */
export const schemaContext = (document: ApiDocument): SchemaContext => {
  const { resolve } = document.references;
  const validators = compileValidators({ resolve });
  const shapeOf = compileShapes({
    resolve,
    accepts: (schema: Schema) => validators.accepts(schema),
  });
  return { shapeOf, validators };
};
