/** The fields of a request, and what is counted of each. */

import { isPlainObject, type ParameterLocation } from '../../../engine';
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
