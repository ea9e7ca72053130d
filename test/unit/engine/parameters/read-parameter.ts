/** Helpers for the tests of parameters: one parameter, defaults filled in, read from a request that carries it alone. */

import { codecTable } from '../../../../src/engine/media-types/codecs';
import {
  compileParameters,
  type ParsedParameters,
  type RawParameters,
} from '../../../../src/engine/parameters/parameters';
import type { Parameter } from '../../../../src/model/operation';
import type { Schema } from '../../../../src/model/schema';
import { compileShapes } from '../../../../src/schema/compile-shapes';
import type { ShapeOf } from '../../../../src/schema/shape';
import { compileValidators } from '../../../../src/schema/validation/compile-validators';

/** The schemas that cases name by `#/components/schemas/NAME`. */
const components: Readonly<Record<string, Schema>> = {
  Node: {
    type: 'object',
    properties: { value: { type: 'integer' }, next: { $ref: '#/components/schemas/Node' } },
  },
};

const resolve = (ref: string): { readonly schema: Schema; readonly component: string } => {
  const component = ref.slice(ref.lastIndexOf('/') + 1);
  const schema = components[component];
  if (schema === undefined) throw new Error(`No schema ${component}`);
  return { schema, component };
};

const validators = compileValidators({ resolve });

/** Shapes of schemas without a document. */
export const shapeOf: ShapeOf = compileShapes({
  resolve,
  accepts: (schema) => validators.accepts(schema),
});

/** A parameter `p` in the query: optional, exploded form, a string, unless told otherwise. */
export const parameter = (given: Partial<Parameter> = {}): Parameter => ({
  name: 'p',
  in: 'query',
  required: given.in === 'path',
  style: given.in === 'path' || given.in === 'header' ? 'simple' : 'form',
  explode: given.in !== 'path' && given.in !== 'header' && (given.style ?? 'form') === 'form',
  allowEmptyValue: false,
  schema: { type: 'string' },
  mediaType: undefined,
  commaSeparated: false,
  ...given,
});

/** Reads a request that has only what is given. */
export const readAll = (
  parameters: readonly Parameter[],
  raw: Partial<RawParameters>,
): ParsedParameters =>
  compileParameters(parameters, { shapeOf, codecs: codecTable() })({
    path: {},
    query: '',
    headers: {},
    ...raw,
  });

/** The raw request whose one parameter `p` has the raw text. A query is given whole. */
const carry = (location: Parameter['in'], text: string): Partial<RawParameters> => {
  if (location === 'path') return { path: { p: text } };
  if (location === 'query') return { query: text };
  return { headers: location === 'header' ? { p: text } : { cookie: `p=${text}` } };
};

/** The typed value of the parameter `p`, or its faults' messages. */
export const readOne = (given: Partial<Parameter>, text: string): unknown => {
  const declared = parameter(given);
  const { values, errors } = readAll([declared], carry(declared.in, text));
  if (errors.length > 0) return { errors: errors.map((fault) => fault.message) };
  return values[declared.in][declared.name];
};
