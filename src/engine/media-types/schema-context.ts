/** The shapes, validators and formats that a document's operations are compiled from. */

import { compileShapes } from '../../schema/compile-shapes';
import type { CustomFormats } from '../../schema/validation/checks/formats';
import { compileValidators, type Schemas } from '../../schema/validation/compile-validators';
import { type Codecs, codecTable } from './codecs';

/**
 * Shapes, validators and formats of one document.
 * @example tools.validators.validatorOf(schema, 'request')(value)
 */
export interface SchemaContext extends Schemas {
  readonly codecs: Codecs;
}

/**
 * Makes the context of a document.
 * @param formats tests of formats beside those that are known
 * @example const tools = schemaContext(document);
 */
export const schemaContext = (
  { codecs = codecTable() }: Partial<Pick<SchemaContext, 'codecs'>> = {},
  formats?: CustomFormats,
): SchemaContext => {
  const validators = compileValidators(formats);
  return { codecs, validators, shapeOf: compileShapes((schema) => validators.accepts(schema)) };
};
