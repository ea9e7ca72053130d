/** Writes parameters in their styles (OAS 3.0.3, Style Values; RFC 6570). */

import { writeJson } from '../../../base/json/write-json';
import { isPlainObject } from '../../../base/plain-object';
import type { SchemaContext } from '../../../engine';
import type { Operation, Parameter, ParameterLocation } from '../../../model/operation';
import { writeScalar } from '../../../schema/scalars';
import type { ParameterValues } from './request-case';

/** Parameters as a request carries them. */
export interface EncodedParameters {
  readonly path: Readonly<Record<string, string>>;
  /** Without `?`. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
}

const textOf = (value: unknown): string =>
  isPlainObject(value) || Array.isArray(value) ? writeJson(value) : writeScalar(value);

/** Percent-encoded for every place of a URL; a path would lose steps of dots alone. */
const encode = (value: unknown): string =>
  encodeURIComponent(textOf(value).toWellFormed()).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

type Encode = (value: unknown) => string;

const membersOf = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, member]) => member !== undefined);

const pairs = (value: object, joint: string, write: Encode): string[] =>
  membersOf(value).map(([key, member]) => `${write(key)}${joint}${write(member)}`);

/** `simple`, and what `label` and `matrix` are made of: `a,b`, `R,100`, exploded `R=100`. */
const writePlain = (value: unknown, delimiter: string, explode: boolean, write: Encode): string => {
  if (Array.isArray(value)) return value.map(write).join(delimiter);
  if (!isPlainObject(value)) return write(value);
  return pairs(value, explode ? '=' : delimiter, write).join(delimiter);
};

const writeMatrix = ({ name, explode }: Parameter, value: unknown): string => {
  if (explode && Array.isArray(value)) {
    return value.map((item) => `;${name}=${encode(item)}`).join('');
  }
  if (explode && isPlainObject(value)) return `;${pairs(value, '=', encode).join(';')}`;
  return `;${name}=${writePlain(value, ',', false, encode)}`;
};

const writePath = (parameter: Parameter, value: unknown): string => {
  if (parameter.style === 'matrix') return writeMatrix(parameter, value);
  if (parameter.style !== 'label') return writePlain(value, ',', parameter.explode, encode);
  return `.${writePlain(value, parameter.explode ? '.' : ',', parameter.explode, encode)}`;
};

const delimiters: Readonly<Record<string, string>> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
};

const deepPairs = (prefix: string, value: unknown): string[] => {
  if (Array.isArray(value)) return value.map((item) => `${prefix}%5B%5D=${encode(item)}`);
  if (!isPlainObject(value)) return [`${prefix}=${encode(value)}`];
  return membersOf(value).flatMap(([key, member]) =>
    deepPairs(`${prefix}%5B${encode(key)}%5D`, member),
  );
};

/** The pairs of one query parameter, or of one field of a form. */
export const writeQuery = (
  { name, style, explode }: Pick<Parameter, 'name' | 'style' | 'explode'>,
  value: unknown,
): string[] => {
  const key = encode(name);
  if (style === 'deepObject') return deepPairs(key, value);
  const isForm = style === 'form';
  if (isForm && explode && Array.isArray(value))
    return value.map((item) => `${key}=${encode(item)}`);
  if (isForm && explode && isPlainObject(value)) return pairs(value, '=', encode);
  return [`${key}=${writePlain(value, delimiters[style] ?? ',', false, encode)}`];
};

/** A `content` parameter carries a document of its media type. */
const asContent = (parameter: Parameter, value: unknown, tools: SchemaContext): unknown => {
  if (parameter.mediaType === undefined) return value;
  const shape = tools.shapeOf(parameter.schema);
  const codec = tools.codecs.contentCodec(parameter.mediaType, shape);
  if (codec === undefined || codec.name === 'json') return writeJson(value);
  return codec.writer(shape, 'request')(value);
};

/** The parameters of a location that have a value, each with it. */
const given = (
  operation: Operation,
  location: ParameterLocation,
  values: ParameterValues,
  tools: SchemaContext,
) =>
  operation.parameters
    .filter(({ in: own, name }) => own === location && values[location][name] !== undefined)
    .map((parameter) => ({
      parameter,
      name: parameter.name,
      value: asContent(parameter, values[location][parameter.name], tools),
    }));

/**
 * Writes the values of an operation's parameters as the server receives them, before it reads them.
 * @returns path segments and query percent-encoded, header names in lower case
 */
export const encodeParameters = (
  operation: Operation,
  values: ParameterValues,
  tools: SchemaContext,
): EncodedParameters => {
  const of = (location: ParameterLocation) => given(operation, location, values, tools);
  const cookies = of('cookie').map(
    ({ name, value }) => `${name}=${writePlain(value, ',', false, encode)}`,
  );
  const headers = of('header').map(({ parameter, name, value }) => [
    name.toLowerCase(),
    writePlain(value, ',', parameter.explode, textOf),
  ]);
  return {
    path: Object.fromEntries(
      of('path').map(({ parameter, name, value }) => [name, writePath(parameter, value)]),
    ),
    query: of('query')
      .flatMap(({ parameter, value }) => writeQuery(parameter, value))
      .join('&'),
    headers: {
      ...Object.fromEntries(headers),
      ...(cookies.length > 0 ? { cookie: cookies.join('; ') } : {}),
    },
  };
};
