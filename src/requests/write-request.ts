/** Turns a case into the request that is sent, and tells whether the document allows it, as the engine itself would. */

import { isNumeric } from '../base/exact-number';
import { ownFuel } from '../base/fuel';
import { writeJson } from '../base/json/write-json';
import { MalformedText } from '../base/malformed-text';
import { parseMediaType } from '../base/media-type';
import { isPlainObject } from '../base/plain-object';
import { recover } from '../base/recover';
import { filledTemplate } from '../document/read/templates';
import { compileReadParameters, type SchemaContext } from '../engine';
import { HttpError } from '../http/http-error';
import { type MediaType, type Parameter, requestMethod } from '../model/operation';
import { scalarReader, writeScalar } from '../schema/scalars';
import type { Shape } from '../schema/shape';
import { membersOf } from '../schema/write-pairs';
import { type EncodedBody, encodeBody, shapeOfContent } from './encode-body';
import { encodeParameters, placed } from './encode-parameters';
import { itemReader, valueSchema } from './item-contents';
import type { BodyCase, OutgoingRequest, RequestCase } from './request-case';

/** A case as it is sent, and whether it keeps to the document. */
export interface WrittenRequest {
  readonly request: OutgoingRequest;
  readonly isValid: boolean;
}

/** Gives a value as a multipart body carries it, which has no place for null and empty lists. */
const asParts = (value: unknown, content: MediaType, tools: SchemaContext): unknown => {
  if (!isPlainObject(value)) return value;
  // A part carries text: `7` and the text `7` are the same, and both are bytes where bytes are asked for.
  const readPart = (part: unknown, shape: Shape | undefined): unknown => {
    const isStructure = shape === undefined || shape.type === 'object' || shape.type === 'any';
    if (isStructure || part instanceof Uint8Array) return part;
    const text = typeof part === 'object' && !isNumeric(part) ? writeJson(part) : writeScalar(part);
    return shape.isBinary ? Buffer.from(text) : scalarReader(shape)(text);
  };
  // A list is as many parts: one part alone may as well be a single value.
  const readParts = (member: unknown, shape: Shape | undefined): unknown => {
    const parts = Array.isArray(member) ? member : [member];
    if (shape?.type === 'array') return parts.map((part) => readPart(part, shape.items));
    return parts.length === 1 ? readPart(parts[0], shape) : member;
  };
  const { properties } = shapeOfContent(content, tools);
  return Object.fromEntries(
    membersOf(value)
      .filter(([, member]) => !Array.isArray(member) || member.length > 0)
      .map(([name, member]) => [name, readParts(member, properties.get(name))]),
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
  const shape = shapeOfContent(content, tools);
  return accepts(tools.codecs.decoderFor(mediaType, shape, content.encoding)(bytes, undefined));
};

/**
 * Writes the request of a case; undefined for what its media type or URL cannot carry.
 * @throws HttpError with the places of what the server would read as something else
 */
export const writeCase = ({ operation, parameters, body }: RequestCase, tools: SchemaContext) => {
  const givenTo = ({ in: location, name }: Parameter) => parameters[location][name];
  const raw = encodeParameters(operation, givenTo, tools);
  // An empty segment would be another path.
  if (Object.values(raw.path).some((segment) => /^\.*$/.test(segment))) return undefined;
  const encoded = body && placed('body', '', () => encodeBody(body, tools));
  if (body !== undefined && encoded === undefined) return undefined;
  const headers = Object.entries(raw.headers);
  const filled = filledTemplate(operation.path, (name) => raw.path[name] ?? '');
  const request: OutgoingRequest = {
    method: requestMethod(operation.method),
    target: raw.query === '' ? filled : `${filled}?${raw.query}`,
    headers: encoded ? [...headers, ['Content-Type', encoded.contentType]] : headers,
    body: encoded?.bytes,
  };
  return { request, raw, encoded };
};

/** Compiles the writer of an operation's requests; undefined for what its media type or URL cannot carry. */
export const requestWriter = (operation: RequestCase['operation'], tools: SchemaContext) => {
  const readParameters = compileReadParameters(operation.parameters, tools);
  return (given: RequestCase): WrittenRequest | undefined => {
    const write = () => writeCase({ ...given, operation }, tools);
    const written = recover(write, HttpError, () => undefined);
    if (written === undefined) return undefined;
    const { request, raw, encoded } = written;
    const { body } = given;
    const isValid = (): boolean => {
      if (body === undefined && operation.requestBody?.required) return false;
      try {
        readParameters(raw, ownFuel());
        return body === undefined || encoded === undefined || isValidBody(body, encoded, tools);
      } catch (error) {
        if (error instanceof HttpError || error instanceof MalformedText) return false;
        throw error;
      }
    };
    return { isValid: isValid(), request };
  };
};
