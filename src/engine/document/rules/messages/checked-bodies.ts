/** Bodies are in formats that can be read; a schema says nothing of the others. */

import { pointerSteps } from '../../../lang/json-pointer';
import { codecFor } from '../../../media-types/codecs';
import { isUnchecked } from '../../../media-types/content-codec';
import type { Schema, Shape, ShapeOf } from '../../../schema/shape';
import { isFields } from '../../../schema/validation/checks/schema-fields';
import { type Rule, warningOf } from '../rule';

const finding = warningOf('unchecked-body');

const shapeIn = (schema: Schema, shapeOf: ShapeOf): Shape | undefined => {
  try {
    return shapeOf(schema);
  } catch {
    // A schema that cannot be read is the finding of another rule.
    return undefined;
  }
};

const isUncheckedBody = (mediaType: string, schema: Schema, shapeOf: ShapeOf): boolean => {
  // A range is settled by each request; multipart bodies are read part by part.
  if (/\*|^multipart\//i.test(mediaType) || !mediaType.includes('/')) return false;
  // Formats that are more than text are read whatever the schema is.
  if ((codecFor(mediaType)?.name ?? 'text') !== 'text') return false;
  const shape = shapeIn(schema, shapeOf);
  return shape !== undefined && isUnchecked(mediaType, shape);
};

export const checkedBodies: Rule = ({ objects, shapeOf }) =>
  objects.flatMap(({ value, pointer, name }) => {
    const schema: unknown = name === 'MediaType' ? Reflect.get(value, 'schema') : undefined;
    const mediaType = pointerSteps(pointer).at(-1) ?? '';
    if (!isFields(schema) || !isUncheckedBody(mediaType, schema, shapeOf)) return [];
    const message = `Nothing here reads ${mediaType}: such bodies are handed over as they are, and the schema is not checked. Write \`type: string\` with \`format: binary\`.`;
    return [finding(`${pointer}/schema`, message)];
  });
