/** An example as the document spells it: plain JSON, or a text of the media type that it stands under. */

import { contentCodec } from '../../media-types/codecs';
import type { Schema, ShapeOf } from '../../schema/shape';
import { typedValue } from '../samples/sample-plan';

/**
 * Makes the reader of examples of one media type: gives typed values. A text that is none of the media type stays text.
 * @param mediaType undefined where an example is plain JSON, as below a schema
 */
export const exampleReader = (
  mediaType: string | undefined,
  schema: Schema,
  shapeOf: ShapeOf,
): ((example: unknown) => unknown) => {
  const shape = shapeOf(schema);
  const type = typedValue(schema, shapeOf);
  const codec = mediaType === undefined ? undefined : contentCodec(mediaType, shape);
  const read = codec?.reader(shape, 'storage');
  return (example) => {
    if (read === undefined || typeof example !== 'string' || shape.type === 'string') {
      return type(example);
    }
    try {
      return read(example);
    } catch {
      return example;
    }
  };
};
