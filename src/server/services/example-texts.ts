/** Writes the examples of a document in their media types, as its service would. */

import { contentCodec, type SchemaContext, typedValue } from '../../engine';
import type { WriteExample } from '../docs/reference/reference';

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Makes the writer. A text stands for itself where its schema is no string. */
export const exampleTexts =
  ({ shapeOf }: SchemaContext): WriteExample =>
  ({ key, schema = {} }, value) => {
    try {
      const shape = shapeOf(schema);
      const codec = contentCodec(key, shape);
      if (codec === undefined || (shape.type !== 'string' && textOf(value))) return textOf(value);
      return codec.writer(shape, 'storage')(typedValue(schema, shapeOf)(value));
    } catch {
      // An example that does not fit its schema has no text; the check of the document reports it.
      return undefined;
    }
  };
