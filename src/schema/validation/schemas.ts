/** The shapes and validators of one document's schemas. */

import { compileShapes } from '../compile-shapes';
import type { ShapeOf } from '../shape';
import { compileValidators, type Validators } from './compile-validators';

/** Shapes and validators, each worked out once, at its first use. */
export interface Schemas {
  readonly shapeOf: ShapeOf;
  readonly validators: Validators;
}

/** Makes those of a document. */
export const compileSchemas = (): Schemas => {
  const validators = compileValidators();
  return { validators, shapeOf: compileShapes((schema) => validators.accepts(schema)) };
};
