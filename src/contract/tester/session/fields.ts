/** The fields of a request, and what is counted of each. */

import {
  isPlainObject,
  type Operation,
  type ParameterLocation,
  type SchemaContext,
} from '../../../engine';
import type { RequestCase } from '../requests/request-case';

/** A parameter, or a top-level property of the body; the body itself has the empty name. */
export interface Field {
  readonly in: ParameterLocation | 'body';
  readonly name: string;
}

/** How often values of a field were sent. */
export interface FieldCounts {
  valid: number;
  invalid: number;
  refused: number;
  failed: number;
  hasInvalid: boolean;
}

/** The fields that a request gives a value. */
export const fieldsOf = ({ parameters, body }: RequestCase): Field[] => [
  ...(['path', 'query', 'header', 'cookie'] as const).flatMap((location) =>
    Object.keys(parameters[location]).map((name) => ({ in: location, name })),
  ),
  ...(body === undefined ? [] : [{ in: 'body' as const, name: '' }]),
  ...(isPlainObject(body?.value) ? Object.keys(body.value) : []).map((name) => ({
    in: 'body' as const,
    name,
  })),
];

/** The fields that an operation declares and a request may have. */
export const declaredFields = (
  { parameters, requestBody }: Operation,
  { shapeOf }: SchemaContext,
): Field[] => [
  ...parameters.map(({ in: location, name }) => ({ in: location, name })),
  ...(requestBody?.content ?? []).flatMap(({ schema = {} }) => [
    { in: 'body' as const, name: '' },
    ...[...shapeOf(schema).properties]
      .filter(([, { readOnly }]) => !readOnly)
      .map(([name]) => ({ in: 'body' as const, name })),
  ]),
];
