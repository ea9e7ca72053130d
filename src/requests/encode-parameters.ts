/** Writes parameters in their styles (OAS 3.0.3, Style Values; RFC 6570). */

import { writeJson } from '../base/json/write-json';
import { MalformedText } from '../base/malformed-text';
import { isPlainObject } from '../base/plain-object';
import { recover } from '../base/recover';
import type { SchemaContext } from '../engine';
import { HttpError } from '../http/http-error';
import type { Operation, Parameter, ParameterLocation } from '../model/operation';
import {
  encode,
  encoderOf,
  undivided,
  valueText,
  writeMemberPairs,
  writePairs,
  writePlain,
} from '../schema/write-pairs';

/** Writes a part of a request. Throws an HttpError with the place of what its reader would take for something else. */
export const placed = <Result>(
  part: ParameterLocation | 'body',
  name: string,
  work: () => Result,
): Result =>
  recover(work, MalformedText, ({ message, path }): never => {
    const errors = [{ in: part, path: name + path, message }];
    throw new HttpError(400, 'invalid-parameter', 'The request cannot be written', { errors });
  });

const writePath = (parameter: Parameter, value: unknown): string => {
  const { name, style, explode } = parameter;
  const write = encoderOf(parameter);
  if (style === 'label') {
    // A list of one has no comma by which its reader would know that dots divide nothing.
    const isDotted = explode || (Array.isArray(value) && value.length === 1);
    return `.${writePlain(value, isDotted ? '.' : ',', explode, write)}`;
  }
  if (style !== 'matrix') return writePlain(value, ',', explode, write);
  if (explode && Array.isArray(value)) {
    return value.map((item) => `;${name}=${write(item)}`).join('');
  }
  if (explode && isPlainObject(value)) return `;${writeMemberPairs(value, '=', write).join(';')}`;
  return `;${name}=${writePlain(value, ',', false, write)}`;
};

/** A `content` parameter carries a document of its media type; one that is the whole query string, and no form, is encoded here. */
const asContent = (parameter: Parameter, value: unknown, tools: SchemaContext): unknown => {
  const { mediaType, schema, encoding, in: location } = parameter;
  if (mediaType === undefined) return value;
  const shape = tools.shapeOf(schema);
  const codec = tools.codecs.contentCodec(mediaType, shape);
  // JSON is also written of what its schema does not allow.
  const writer = codec?.name === 'json' ? writeJson : codec?.writer(shape, 'request', encoding);
  const text = (writer ?? valueText)(value);
  return location === 'querystring' && codec?.name !== 'form' ? encode(text) : text;
};

/** Writes a text that nothing encodes: of a header, or of a cookie in its own style, which both lose blanks at their ends. */
const bareText = (value: unknown): string => {
  const text = valueText(value);
  if (text === text.trim()) return text;
  throw new MalformedText('must not begin or end with a blank here');
};

const writers: Readonly<
  Record<ParameterLocation, (parameter: Parameter, value: unknown) => string | readonly string[]>
> = {
  path: writePath,
  query: (parameter, value) => writePairs(parameter, value, encoderOf(parameter)),
  querystring: (_parameter, value) => String(value),
  header: ({ explode }, value) => writePlain(value, ',', explode, bareText),
  // One cookie; of the style cookie as many as there are pairs, which nothing encodes (OAS 3.2.0, Appendix D).
  cookie: (parameter, value) =>
    parameter.style === 'cookie' && parameter.mediaType === undefined
      ? writePairs(parameter, value, undivided(bareText, ';'))
      : `${parameter.name}=${writePlain(value, ',', false, encoderOf(parameter))}`,
};

/**
 * Writes the values of an operation's parameters as the server receives them, before it reads them.
 * @param givenTo returns the value of a parameter; undefined leaves it out
 * @returns path segments and query percent-encoded, the query without `?`, header names in lower case
 * @throws HttpError with the places of what the server would read as something else
 */
export const encodeParameters = (
  operation: Operation,
  givenTo: (parameter: Parameter) => unknown,
  tools: SchemaContext,
) => {
  const written = operation.parameters.flatMap((parameter) => {
    const { in: location, name } = parameter;
    const value = givenTo(parameter);
    const write = () => writers[location](parameter, asContent(parameter, value, tools));
    return value === undefined ? [] : [{ location, name, texts: placed(location, name, write) }];
  });
  const writtenIn = (location: ParameterLocation) =>
    written.filter((one) => one.location === location);
  const textsIn = (location: ParameterLocation) =>
    writtenIn(location).flatMap(({ texts }) => texts);
  const namedIn = (location: ParameterLocation, keyOf = (name: string) => name) =>
    Object.fromEntries(writtenIn(location).map(({ name, texts }) => [keyOf(name), String(texts)]));
  const cookies = textsIn('cookie');
  return {
    path: namedIn('path'),
    query: [...textsIn('query'), ...textsIn('querystring')].join('&'),
    headers: {
      ...namedIn('header', (name) => name.toLowerCase()),
      ...(cookies.length > 0 ? { cookie: cookies.join('; ') } : {}),
    },
  };
};
