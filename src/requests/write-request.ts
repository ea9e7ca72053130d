/** Turns a case into the request that is sent, and tells whether the document allows it, as the engine itself would. */

import { ownFuel } from '../base/fuel';
import { writeJson } from '../base/json/write-json';
import { MalformedText } from '../base/malformed-text';
import { parseMediaType } from '../base/media-type';
import { isPlainObject } from '../base/plain-object';
import { filledTemplate } from '../document/read/templates';
import { compileReadParameters, type SchemaContext } from '../engine';
import { HttpError } from '../http/http-error';
import { type MediaType, requestMethod } from '../model/operation';
import { scalarReader, writeScalar } from '../schema/scalars';
import type { Shape } from '../schema/shape';
import { type EncodedBody, encodeBody, shapeOfContent } from './encode-body';
import { type EncodedParameters, encodeParameters } from './encode-parameters';
import { itemReader, valueSchema } from './item-contents';
import type { BodyCase, HttpRequest, RequestCase } from './request-case';
import { membersOf } from './write-pairs';

/** A case as it is sent, and whether it keeps to the document. */
export interface WrittenRequest {
  readonly request: HttpRequest;
  readonly isValid: boolean;
}

const targetOf = (template: string, { path, query }: EncodedParameters): string => {
  const filled = filledTemplate(template, (name) => path[name] ?? '');
  return query === '' ? filled : `${filled}?${query}`;
};

const fits = (test: () => boolean): boolean => {
  try {
    return test();
  } catch (error) {
    if (error instanceof HttpError || error instanceof MalformedText) return false;
    throw error;
  }
};

/** A part carries text: `7` and the text `7` are the same, and both are bytes where bytes are asked for. */
const readPart = (value: unknown, shape: Shape | undefined): unknown => {
  const isStructure = shape === undefined || shape.type === 'object' || shape.type === 'any';
  if (isStructure || value instanceof Uint8Array) return value;
  const text = typeof value === 'object' ? writeJson(value) : writeScalar(value);
  return shape.isBinary ? Buffer.from(text) : scalarReader(shape)(text);
};

/** A list is as many parts: one part alone may as well be a single value. */
const readParts = (member: unknown, shape: Shape | undefined): unknown => {
  const parts = Array.isArray(member) ? member : [member];
  if (shape?.type === 'array') return parts.map((part) => readPart(part, shape.items));
  const [first, ...more] = parts;
  return more.length === 0 ? readPart(first, shape) : member;
};

/** Gives a value as a multipart body carries it, which has no place for null and empty lists. */
const asParts = (value: unknown, content: MediaType, tools: SchemaContext): unknown => {
  if (!isPlainObject(value)) return value;
  const { properties } = shapeOfContent(content, tools);
  const said = membersOf(value).filter(([, member]) => !Array.isArray(member) || member.length > 0);
  return Object.fromEntries(
    said.map(([name, member]) => [name, readParts(member, properties.get(name))]),
  );
};

const isValidBody = (
  body: BodyCase,
  { bytes, contentType }: EncodedBody,
  tools: SchemaContext,
): boolean => {
  const { content, mediaType, value } = body;
  const schema = valueSchema(content);
  if (schema === undefined) return true;
  const accepts = tools.validators.accepts(schema, 'request');
  const type = parseMediaType(contentType);
  const reader = type && itemReader(content, type, 'request', tools);
  if (reader !== undefined) return accepts([...reader.read(bytes), ...reader.end()]);
  if (mediaType.startsWith('multipart/')) return accepts(asParts(value, content, tools));
  const decode = tools.codecs.decoderFor(
    mediaType,
    shapeOfContent(content, tools),
    content.encoding,
  );
  return accepts(decode(bytes, undefined));
};

/** An empty segment would be another path. */
const hasSegments = ({ path }: EncodedParameters): boolean =>
  Object.values(path).every((segment) => segment !== '' && !/^\.+$/.test(segment));

/** Compiles the writer of an operation's requests; undefined for what its media type or URL cannot carry. */
export const requestWriter = (operation: RequestCase['operation'], tools: SchemaContext) => {
  const readParameters = compileReadParameters(operation.parameters, tools);
  return ({ parameters, body }: RequestCase): WrittenRequest | undefined => {
    const raw = encodeParameters(operation, (one) => parameters[one.in][one.name], tools);
    if (!hasSegments(raw)) return undefined;
    const encoded = body && encodeBody(body, tools);
    if (body !== undefined && encoded === undefined) return undefined;
    const isValid = fits(() => {
      readParameters(raw, ownFuel());
      return body === undefined || encoded === undefined || isValidBody(body, encoded, tools);
    });
    const headers = Object.entries(raw.headers);
    return {
      isValid: isValid && (body !== undefined || operation.requestBody?.required !== true),
      request: {
        method: requestMethod(operation.method),
        target: targetOf(operation.path, raw),
        headers: encoded ? [...headers, ['Content-Type', encoded.contentType]] : headers,
        body: encoded?.bytes,
      },
    };
  };
};
