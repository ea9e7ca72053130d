/** Writes parameters in their styles (OAS 3.0.3, Style Values; RFC 6570). */

import { writeJson } from '../base/json/write-json';
import { isPlainObject } from '../base/plain-object';
import type { SchemaContext } from '../engine';
import type { Operation, Parameter, ParameterLocation } from '../model/operation';
import {
  encode,
  encoderOf,
  valueText,
  writeForm,
  writeMemberPairs,
  writePairs,
  writePlain,
} from './write-pairs';

/** Parameters as a request carries them. */
export interface EncodedParameters {
  readonly path: Readonly<Record<string, string>>;
  /** Without `?`. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
}

const writePath = (parameter: Parameter, value: unknown): string => {
  const { name, style, explode } = parameter;
  const write = encoderOf(parameter);
  if (style === 'label') return `.${writePlain(value, explode ? '.' : ',', explode, write)}`;
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
  if (location === 'querystring' && codec?.name === 'form') return writeForm(value, encoding);
  // JSON is also written of what its schema does not allow.
  const writer = codec?.name === 'json' ? writeJson : codec?.writer(shape, 'request');
  const text = (writer ?? valueText)(value);
  return location === 'querystring' ? encode(text) : text;
};

/**
 * Writes the values of an operation's parameters as the server receives them, before it reads them.
 * @param givenTo returns the value of a parameter; undefined leaves it out
 * @returns path segments and query percent-encoded, header names in lower case
 */
export const encodeParameters = (
  operation: Operation,
  givenTo: (parameter: Parameter) => unknown,
  tools: SchemaContext,
): EncodedParameters => {
  const given = operation.parameters.flatMap((parameter) => {
    const value = givenTo(parameter);
    return value === undefined ? [] : [{ parameter, value: asContent(parameter, value, tools) }];
  });
  const givenIn = (location: ParameterLocation) =>
    given.filter(({ parameter }) => parameter.in === location);
  // One cookie; of the style cookie as many as there are pairs, which nothing encodes (OAS 3.2.0, Appendix D).
  const cookies = givenIn('cookie').flatMap(({ parameter, value }) =>
    parameter.style === 'cookie' && parameter.mediaType === undefined
      ? writePairs(parameter, value, valueText)
      : [`${parameter.name}=${writePlain(value, ',', false, encoderOf(parameter))}`],
  );
  const headers = givenIn('header').map(({ parameter, value }) => [
    parameter.name.toLowerCase(),
    writePlain(value, ',', parameter.explode, valueText),
  ]);
  return {
    path: Object.fromEntries(
      givenIn('path').map(({ parameter, value }) => [parameter.name, writePath(parameter, value)]),
    ),
    query: [
      ...givenIn('query').flatMap(({ parameter, value }) =>
        writePairs(parameter, value, encoderOf(parameter)),
      ),
      ...givenIn('querystring').map(({ value }) => value),
    ].join('&'),
    headers: {
      ...Object.fromEntries(headers),
      ...(cookies.length > 0 ? { cookie: cookies.join('; ') } : {}),
    },
  };
};
