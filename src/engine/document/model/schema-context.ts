/** Shapes and validators, from which a document's operations are compiled. */

import { type Codecs, codecTable } from '../../media-types/codecs';
import { compileShapes } from '../../schema/compile-shapes';
import type { ShapeOf } from '../../schema/shape';
import { compileValidators, type Validators } from '../../schema/validation/compile-validators';

/** One document's schemas: each shape and validator is worked out once, at its first use. */
export interface SchemaContext {
  readonly shapeOf: ShapeOf;
  readonly validators: Validators;
  /** The formats of its messages. */
  readonly codecs: Codecs;
}

/** Makes the context of a document. */
export const schemaContext = ({
  codecs = codecTable(),
}: Partial<Pick<SchemaContext, 'codecs'>> = {}): SchemaContext => {
  const validators = compileValidators();
  const shapeOf = compileShapes((schema) => validators.accepts(schema));
  return { shapeOf, validators, codecs };
};
