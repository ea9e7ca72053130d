/** References, shapes and validators, from which a document's operations are compiled. */

import { type Codecs, codecTable } from '../../media-types/codecs';
import { compileShapes } from '../../schema/compile-shapes';
import type { ShapeOf } from '../../schema/shape';
import { compileValidators, type Validators } from '../../schema/validation/compile-validators';
import type { References } from '../references/references';

/** One document's schemas: each shape and validator is worked out once, at its first use. */
export interface SchemaContext {
  readonly references: References;
  readonly shapeOf: ShapeOf;
  readonly validators: Validators;
  /** The formats of its messages. */
  readonly codecs: Codecs;
}

/** Makes the context of a document. */
export const schemaContext = ({
  references,
  codecs = codecTable(),
}: Pick<SchemaContext, 'references'> & Partial<Pick<SchemaContext, 'codecs'>>): SchemaContext => {
  const validators = compileValidators(references);
  const shapeOf = compileShapes({
    resolve: references.resolve,
    accepts: (schema) => validators.accepts(schema),
  });
  return { references, shapeOf, validators, codecs };
};
