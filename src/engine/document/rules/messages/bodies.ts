/** Bodies have a meaning and a format that can be read, responses can be sent, and examples stand in one way. */

import { pointerSteps, pointerTo } from '../../../lang/json-pointer';
import { isPlainObject } from '../../../lang/plain-object';
import { codecFor, isUnchecked } from '../../../media-types/codecs';
import type { Schema, ShapeOf } from '../../../schema/shape';
import type { UnplacedDiagnostic } from '../../diagnostics/diagnostic';
import type { DocumentObject } from '../../structure/positions';
import { errorOf, ruleOf, warningOf } from '../rule';

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

export const reachableResponses = ruleOf({
  Operation: ({ value: { responses }, pointer }) =>
    Object.keys(isPlainObject(responses) ? responses : {})
      .filter((key) => /^1(\d\d|XX)$/.test(key))
      .map((key) => {
        const message = `The status ${key} ends no request, and this response is never sent. Remove it.`;
        return warningOf('unreachable-response')(
          pointerTo(`${pointer}/responses`, key),
          message,
          true,
        );
      }),
});

const exclude =
  (one: string, other: string) =>
  ({ value, pointer }: DocumentObject): UnplacedDiagnostic[] => {
    if (!Object.hasOwn(value, one) || !Object.hasOwn(value, other)) return [];
    const message = `Remove \`${one}\` or \`${other}\`: they exclude each other.`;
    return [errorOf('exclusive-fields')(`${pointer}/${other}`, message, true)];
  };

const examples = exclude('example', 'examples');

export const exclusiveFields = ruleOf({
  MediaType: examples,
  Parameter: examples,
  Header: examples,
  Example: exclude('value', 'externalValue'),
  Link: exclude('operationRef', 'operationId'),
});
