/** The shapes and validators of one document's schemas. */

import { compileShapes } from '../compile-shapes';
import type { ShapeOf } from '../shape';
import type { CustomFormats } from './checks/formats';
import { compileValidators, type Validators } from './compile-validators';

/** Shapes and validators, each worked out once, at its first use. */
export interface Schemas {
  readonly shapeOf: ShapeOf;
  readonly validators: Validators;
}

/**
 * Makes those of a document.
 * @param formats tests of formats beside those that are known
 */
export const compileSchemas = (formats?: CustomFormats): Schemas => {
  const validators = compileValidators(formats);
  return { validators, shapeOf: compileShapes((schema) => validators.accepts(schema)) };
};
