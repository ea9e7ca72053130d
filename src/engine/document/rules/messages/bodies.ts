/** Bodies have a meaning, and are in formats that can be read; a schema says nothing of the others. */

import { pointerSteps } from '../../../lang/json-pointer';
import { isPlainObject } from '../../../lang/plain-object';
import { codecFor, isUnchecked } from '../../../media-types/codecs';
import type { Schema, ShapeOf } from '../../../schema/shape';
import { ruleOf, warningOf } from '../rule';

const isUncheckedBody = (mediaType: string, schema: Schema, shapeOf: ShapeOf): boolean => {
  // A range is settled by each request; multipart bodies are read part by part.
  if (/\*|^multipart\//i.test(mediaType) || !mediaType.includes('/')) return false;
  // Formats that are more than text are read whatever the schema is.
  if ((codecFor(mediaType)?.name ?? 'text') !== 'text') return false;
  try {
    return isUnchecked(mediaType, shapeOf(schema));
  } catch {
    // Another rule reports a schema that cannot be read.
    return false;
  }
};

export const checkedBodies = ruleOf({
  MediaType: ({ value, pointer }, { shapeOf }) => {
    const { schema } = value;
    const mediaType = pointerSteps(pointer).at(-1) ?? '';
    if (!isPlainObject(schema) || !isUncheckedBody(mediaType, schema, shapeOf)) return [];
    const message = `Nothing here reads ${mediaType}: such bodies are handed over as they are, and the schema is not checked. Write \`type: string\` with \`format: binary\`.`;
    return [warningOf('unchecked-body')(`${pointer}/schema`, message)];
  },
});

// RFC 9110 section 9.3; OAS 3.0.3, Operation Object.
const bodiless = /\/(get|head|delete|trace)$/;

export const meaningfulBodies = ruleOf({
  Operation: ({ value, pointer }) => {
    const method = bodiless.exec(pointer)?.[1];
    if (method === undefined || !Object.hasOwn(value, 'requestBody')) return [];
    const message = `The body of ${method.toUpperCase()} has no meaning and is not read. Remove it, or use another method.`;
    return [warningOf('request-body')(`${pointer}/requestBody`, message, true)];
  },
});
