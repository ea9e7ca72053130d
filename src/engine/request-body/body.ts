/** The body of a request: the reader is chosen by Content-Type, decodes within bounds, and validates (OAS 3.0.3, Request Body Object). */

import { addFuel, drawFrom, type Fuel } from '../../base/fuel';
import {
  acceptQuery,
  charsetOf,
  concreteMediaType,
  mediaTypeMatcher,
  parseMediaType,
} from '../../base/media-type';
import { lazy, memoize } from '../../base/memoize';
import { isPlainObject } from '../../base/plain-object';
import { errorAt, HttpError, noHeaders, withErrors } from '../../http/http-error';
import {
  bodyAnnounced,
  bodyPieces,
  type HttpRequest,
  largeBody,
  readBytes,
} from '../../http/request';
import { sharedHeaders } from '../../http/send';
import {
  headerParameter,
  type MediaType,
  type Operation,
  type RequestBody,
} from '../../model/operation';
import { anySchema, type Schema } from '../../model/schema';
import { compileCoercion, handingOver } from '../../schema/coercion';
import { strictView } from '../../schema/schema-view';
import type { Shape } from '../../schema/shape';
import { utf8 } from '../media-types/codec/codec';
import type { ItemReader } from '../media-types/items/item-format';
import {
  type BodySizes,
  multipartReader,
  type ReadContent,
} from '../media-types/multipart/multipart-reader';
import type { SchemaContext } from '../media-types/schema-context';
import {
  isMultipart,
  isPositional,
  positionalReader,
} from '../media-types/sequences/multipart-sequence';
import { itemsOf } from '../media-types/sequences/sequence-formats';
import { BodyItems, invalidBody, refuseMalformed } from './body-items';

/**
 * Reads, decodes and checks the body. Rejects with an HttpError: 415, 413, `invalid-body`, or `invalid-parameter` for the
 * identifier.
 * @param fuel the steps that reading and checking it may take, shared with the parameters
 */
export type ReadBody = (request: HttpRequest, fuel: Fuel) => Promise<unknown>;

/** Tells whether a body is its bytes themselves, also in the types of a range. */
const isOctets = (key: string, shape: Shape, { codecs }: SchemaContext): boolean =>
  shape.isBinary || (!/\*|^\s*multipart\//i.test(key) && codecs.isOctets(key, shape));

const wholeReader = (
  content: MediaType,
  shape: Shape,
  sizes: BodySizes,
  tools: SchemaContext,
): ReadContent => {
  const isBytes = isOctets(content.key, shape, tools);
  const bounds = isBytes ? sizes.upload : sizes.text;
  // Behind a range such as */* the bytes may be in any of a few formats.
  const decoderOf = memoize(
    (essence: string) => tools.codecs.decoderFor(essence, shape, content.encoding, sizes.limits),
    { max: 16 },
  );
  return async (request, { essence, parameters }, fuel) => {
    const bytes = await readBytes(request, bounds);
    if (bytes.length === 0 && !isBytes) return undefined;
    if (bytes.length >= largeBody && !isBytes) await bounds.memory.turn();
    addFuel(fuel, bytes.length);
    return drawFrom(fuel, () => decoderOf(essence)(bytes, parameters['charset']));
  };
};

const itemLimits = ({ key }: MediaType, { text, upload, limits }: BodySizes) => ({
  itemBytes: isMultipart(key) ? upload.limit : text.limit,
  textBytes: text.limit,
  values: limits,
});

/** Compiles the reader of multipart contents, whose parts are the items of a list or the members of an object. */
const partsReader = (
  content: MediaType,
  shape: Shape,
  sizes: BodySizes,
  tools: SchemaContext,
): ReadContent => {
  if (!isPositional(content, tools.shapeOf)) {
    return multipartReader(shape, content.encoding, sizes, tools);
  }
  const { text, upload } = sizes;
  const read = positionalReader(content, itemLimits(content, sizes), tools);
  return async (request, type, fuel) => {
    const bytes = await readBytes(request, upload);
    if (bytes.length >= largeBody) await upload.memory.turn();
    addFuel(fuel, Math.min(bytes.length, text.limit));
    return bytes.length === 0 ? undefined : drawFrom(fuel, () => read(bytes, type));
  };
};

const missing = { path: '', message: 'is required', rule: 'required' };

/** Makes the check of the property that `x-identifier` names: it gives its error, which is answered as that of a parameter. */
const identifierCheck = (schema: Schema, name: string, tools: SchemaContext) => {
  const [property = anySchema] = strictView(schema).declared(name);
  const validate = tools.validators.validatorOf(property, 'request');
  return (value: unknown): HttpError | undefined => {
    if (!isPlainObject(value)) return undefined;
    const identifier = Object.hasOwn(value, name) ? value[name] : undefined;
    const [error] = identifier === undefined ? [missing] : validate(identifier);
    if (error === undefined) return undefined;
    return new HttpError(400, 'invalid-parameter', `The identifier ${name} ${error.message}`, {
      errors: [errorAt('body', `/${name}${error.path}`, error)],
    });
  };
};

interface CompiledContent {
  readonly key: string;
  readonly readsBytes: boolean;
  /** Makes the value of an absent optional body: the empty one of its type, so that handlers need not tell the two apart. */
  readonly empty: () => unknown;
  readonly read: ReadContent;
  reads(mediaType: string): boolean;
  readsCharset(essence: string, charset: string): boolean;
  /** Returns the value; throws if it does not fit. */
  check(value: unknown): unknown;
}

async function* noItems(): AsyncGenerator<never> {}

/** Compiles a content whose items are read when the handler asks for them; undefined where it is read as a whole. */
const compileItems = (
  content: MediaType,
  sizes: BodySizes,
  tools: SchemaContext,
): CompiledContent | undefined => {
  const items = itemsOf(content);
  if (items === undefined) return undefined;
  const { format, schema } = items;
  const hand = handingOver([tools.shapeOf(schema)]);
  const readerFor = lazy(() => format.compileReader(content, itemLimits(content, sizes), tools));
  const validate = tools.validators.validatorOf(schema, 'request');
  return {
    key: content.key,
    readsBytes: true,
    empty: noItems,
    async read(request, type, fuel) {
      const reader: ItemReader = readerFor()(type);
      const pieces = bodyPieces(request, sizes.text.memory, () => reader.pendingBytes);
      return new BodyItems(pieces, reader, validate, hand, fuel);
    },
    reads: () => true,
    readsCharset: (_essence, charset) => utf8.reads(charset),
    check: (value) => value,
  };
};

const compileContent = (
  content: MediaType,
  { identifier }: RequestBody,
  sizes: BodySizes,
  tools: SchemaContext,
): CompiledContent => {
  const { codecs, shapeOf, validators } = tools;
  const schema = content.schema ?? anySchema;
  const shape = shapeOf(schema);
  const validate = validators.validatorOf(schema, 'request');
  const hand = handingOver([shape]);
  const checkIdentifier = lazy(() =>
    identifier === undefined
      ? (): undefined => undefined
      : identifierCheck(schema, identifier, tools),
  );
  const readWhole = wholeReader(content, shape, sizes, tools);
  const readMultipart = lazy(() => partsReader(content, shape, sizes, tools));
  return {
    key: content.key,
    readsBytes: isOctets(content.key, shape, tools),
    empty() {
      if (shape.type === 'object') return compileCoercion(shape, 'request')({});
      if (shape.type === 'array') return [];
      return shape.isBinary ? new Uint8Array() : undefined;
    },
    read: (request, type, fuel) =>
      !shape.isBinary && type.essence.startsWith('multipart/')
        ? readMultipart()(request, type, fuel)
        : readWhole(request, type, fuel),
    reads: (mediaType) => isMultipart(mediaType) || codecs.isCarried(mediaType, schema, shapeOf),
    readsCharset: (essence, charset) =>
      isMultipart(essence) || codecs.readsCharset(essence, shape, charset),
    check(value) {
      const errors = validate(value).map((error) => errorAt('body', error.path, error));
      const unidentified = checkIdentifier()(value);
      if (unidentified !== undefined) throw withErrors(unidentified, errors);
      if (errors.length > 0) throw invalidBody(errors);
      return hand(value);
    },
  };
};

/**
 * Methods whose body is read where the operation says what it means, and else ignored, since HTTP gives it no meaning
 * (RFC 9110 section 9.3). Of all others it is refused then.
 */
const tolerant: ReadonlySet<string> = new Set(['get', 'head', 'delete', 'options', 'trace']);

const unsupported = (message: string, headers: Readonly<Record<string, string>>): HttpError =>
  new HttpError(415, 'unsupported-media-type', message, { headers });

/** Refuses a body that would be ignored, so that its sender does not take it for processed. */
const refuseBody: ReadBody = async (request) => {
  if (!bodyAnnounced(request)) return undefined;
  throw unsupported('This operation takes no body. Send the request without one.', noHeaders);
};

/** Compiles what an operation says of its body. */
const compileDeclared = (
  requestBody: RequestBody,
  isQuery: boolean,
  sizes: BodySizes,
  tools: SchemaContext,
) => {
  const contents = requestBody.content.map(
    (content) =>
      compileItems(content, sizes, tools) ?? compileContent(content, requestBody, sizes, tools),
  );
  const match = mediaTypeMatcher(contents);
  const keys = contents
    .filter(({ key, reads }) => key.includes('*') || reads(key))
    .map(({ key }) => key);
  const accept = keys.join(', ');
  /** Finds how a body of a Content-Type is read; undefined if it is not declared, or cannot be read. */
  const contentOf = (contentType: string) => {
    const type = parseMediaType(contentType);
    const content = type && match(type);
    if (type === undefined || !content?.reads(contentType)) return undefined;
    const charset = charsetOf(contentType);
    const isReadable = charset === undefined || content.readsCharset(type.essence, charset);
    return { type, content, isReadable };
  };
  return {
    isQuery,
    isRequired: requestBody.required,
    /** The content that an absent body has the value of. */
    first: contents[0],
    contentOf: memoize(contentOf, { max: 100 }),
    /** Says what can be read, in the refusals of all else. */
    accepted:
      accept === ''
        ? 'No body that this operation declares can be read here'
        : `The body must be one of ${accept}`,
    headers:
      accept === ''
        ? noHeaders
        : sharedHeaders({ Accept: accept, ...(isQuery && acceptQuery(keys)) }),
  };
};

type CompiledBody = ReturnType<typeof compileDeclared>;

const absentBody = ({ isRequired, first }: CompiledBody, fuel: Fuel): unknown => {
  if (isRequired) throw invalidBody([errorAt('body', '', missing)]);
  const value = first?.empty();
  return value !== undefined && first?.reads(concreteMediaType(first.key))
    ? drawFrom(fuel, () => first.check(value))
    : value;
};

/** Reads a body by its media type, or the absence of one; zero bytes are a value of a type of bytes, and no body elsewhere. */
const readDeclared = async (
  request: HttpRequest,
  body: CompiledBody,
  fuel: Fuel,
): Promise<unknown> => {
  const { headers } = request;
  if (body.isQuery && headers['content-type'] === undefined) {
    // It is a part of the query (RFC 10008 section 2).
    const message = `QUERY needs a Content-Type. ${body.accepted}`;
    throw new HttpError(400, 'malformed-request', message, { headers: body.headers });
  }
  const declared = body.contentOf(headers['content-type'] ?? '');
  const isUpload = headers['content-length'] !== undefined && declared?.content.readsBytes === true;
  if (!bodyAnnounced(request) && !isUpload) return absentBody(body, fuel);
  if (declared === undefined) throw unsupported(body.accepted, body.headers);
  const { type, content, isReadable } = declared;
  if (!isReadable) throw unsupported('The charset of the body is not supported', body.headers);
  const value = await content.read(request, type, fuel).catch(refuseMalformed);
  return value === undefined ? absentBody(body, fuel) : drawFrom(fuel, () => content.check(value));
};

/** Compiles an operation's body; undefined if it is ignored. */
export const compileBody = (
  operation: Operation,
  sizes: BodySizes,
  tools: SchemaContext,
): ReadBody | undefined => {
  const { method, requestBody } = operation;
  const takesParts = method !== 'put' || headerParameter(operation, 'content-range') !== undefined;
  if (requestBody === undefined) return tolerant.has(method) ? undefined : refuseBody;
  const body = compileDeclared(requestBody, method === 'query', sizes, tools);
  return (request, fuel) => {
    // A part of a representation would be taken for the whole (RFC 9110 section 14.5).
    if (!takesParts && request.headers['content-range'] !== undefined) {
      const message = 'must not be sent: PUT takes the whole here, and no part of it';
      throw new HttpError(400, 'malformed-request', `Content-Range ${message}`, {
        errors: [errorAt('header', 'Content-Range', { message, rule: 'syntax' })],
      });
    }
    return readDeclared(request, body, fuel);
  };
};
