/** Helpers for the tests of parameters: one parameter, defaults filled in, read from a request that carries it alone. */

import { schemaContext } from '../../../../src/engine/media-types/schema-context';
import {
  compileParameters,
  type ParsedParameters,
  type RawParameters,
} from '../../../../src/engine/parameters/parameters';
import type { Parameter } from '../../../../src/model/operation';
import type { Shape } from '../../../../src/schema/shape';
import { schemasOf } from '../../../support/schemas';

/** The schemas that cases name by `#/components/schemas/NAME`. */
const read = schemasOf({
  Node: {
    type: 'object',
    properties: { value: { type: 'integer' }, next: { $ref: '#/components/schemas/Node' } },
  },
});

const schemas = schemaContext();

/** The shape of a Schema Object. */
export const shapeOf = (schema: object): Shape => schemas.shapeOf(read(schema));

/** A parameter whose schema is a Schema Object. */
export type GivenParameter = Partial<Omit<Parameter, 'schema'>> & { readonly schema?: object };

/** A parameter `p` in the query: optional, exploded form, a string, unless told otherwise. */
export const parameter = ({
  schema = { type: 'string' },
  ...given
}: GivenParameter = {}): Parameter => ({
  pointer: '/parameters/p',
  name: 'p',
  description: undefined,
  deprecated: false,
  in: 'query',
  required: given.in === 'path',
  style: given.in === 'path' || given.in === 'header' ? 'simple' : 'form',
  explode: given.in !== 'path' && given.in !== 'header' && (given.style ?? 'form') === 'form',
  allowEmptyValue: false,
  allowReserved: false,
  schema: read(schema),
  mediaType: undefined,
  encoding: {},
  commaSeparated: false,
  examples: [],
  ...given,
});

/** Reads a request that has only what is given. */
export const readAll = (
  parameters: readonly Parameter[],
  raw: Partial<RawParameters>,
): ParsedParameters =>
  compileParameters(
    parameters,
    schemas,
  )({
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
export const readOne = (given: GivenParameter, text: string): unknown => {
  const declared = parameter(given);
  const { values, errors } = readAll([declared], carry(declared.in, text));
  if (errors.length > 0) return { errors: errors.map((fault) => fault.message) };
  return values[declared.in][declared.name];
};
