/** A request's body: pick the reader by Content-Type, decode, check (OAS 3.0.3, Request Body Object). */

import type { IncomingMessage } from 'node:http';
import { drawFrom, type Fuel, FuelExhausted } from '../../base/fuel';
import { MalformedText } from '../../base/malformed-text';
import { lazy, memoize } from '../../base/memoize';
import type { MediaType, Operation, RequestBody } from '../document/model/operation';
import { HttpError, noHeaders, type ValidationError } from '../http/http-error';
import { charsetOf, concreteMediaType, mediaTypeMatcher, parseMediaType } from '../http/media-type';
import { bodyAnnounced } from '../http/request-head';
import { sharedHeaders } from '../http/response-head';
import { isCarried, readsCharset } from '../media-types/codecs';
import { jsonCodec } from '../media-types/json/json';
import type { Shape } from '../schema/shape';
import { type ContentTools, contentReader, type ReadContent } from './body-content';
import { bodyError, identifierCheck } from './identifier-check';

/**
 * Reads, decodes and checks the body. Rejects with an HttpError: 415, 413, `invalid-body`, or `invalid-parameter` for the
 * identifier.
 * @param fuel the steps that reading and checking it may take, and may already have been taken from
 */
export type ReadBody = (request: IncomingMessage, fuel: Fuel) => Promise<unknown>;

// RFC 9110 sections 9.3.1, 9.3.2, 9.3.5: content in these has no defined meaning.
const bodiless = new Set(['get', 'head', 'delete']);

const invalidBody = (errors: readonly ValidationError[]): HttpError =>
  new HttpError(400, 'invalid-body', 'The request body is invalid', { errors });

/** A missing optional body reads as the empty value of its type, so that handlers need not tell the two apart. */
const emptyValue = (shape: Shape): (() => unknown) => {
  if (shape.type === 'object') return () => jsonCodec.reader(shape, 'request')('{}');
  if (shape.type === 'array') return () => [];
  if (shape.format === 'binary') return () => new Uint8Array();
  return () => undefined;
};

interface CompiledContent {
  readonly key: string;
  readonly readsBytes: boolean;
  readonly empty: () => unknown;
  readonly read: ReadContent;
  /** Whether a body of that media type can be read. */
  reads(mediaType: string): boolean;
  /** Whether a body of that media type can be read in that charset. */
  readsCharset(essence: string, charset: string): boolean;
  /** The value itself; throws where anything is wrong with it. */
  check(value: unknown): unknown;
}

/** Its parts have charsets of their own. */
const isMultipart = (mediaType: string): boolean => /^\s*multipart\//i.test(mediaType);

const compileContent = (
  content: MediaType,
  { identifier }: RequestBody,
  tools: ContentTools,
): CompiledContent => {
  const schema = content.schema ?? {};
  const shape = tools.shapeOf(schema);
  const validate = tools.validators.validatorOf(schema, 'request');
  const checkIdentifier = lazy(() =>
    identifier === undefined ? () => undefined : identifierCheck(schema, identifier, tools),
  );
  return {
    key: content.key,
    readsBytes: shape.format === 'binary',
    empty: emptyValue(shape),
    read: contentReader(content, shape, tools),
    reads: (mediaType) => isMultipart(mediaType) || isCarried(mediaType, schema, tools.shapeOf),
    readsCharset: (essence, charset) =>
      isMultipart(essence) || readsCharset(essence, shape, charset),
    check(value) {
      checkIdentifier()(value);
      const errors = validate(value).map(({ path, message }) => bodyError(path, message));
      if (errors.length > 0) throw invalidBody(errors);
      return value;
    },
  };
};

/** What is no text of its format, or takes too many steps to read, is an error of the body. */
const refuseMalformed = (error: unknown): never => {
  if (error instanceof MalformedText) throw invalidBody([bodyError(error.path, error.message)]);
  if (error instanceof FuelExhausted) throw invalidBody([bodyError('', error.message)]);
  throw error;
};

/** Methods whose body means what the operation says of it, and nothing where it says nothing. */
const bodyMethods = new Set(['post', 'put', 'patch']);

const unsupported = (message: string, headers: Readonly<Record<string, string>>): HttpError =>
  new HttpError(415, 'unsupported-media-type', message, { headers });

/** A body that would be ignored is refused, so that nobody takes it for done. */
const refuseBody: ReadBody = async (request) => {
  if (!bodyAnnounced(request)) return undefined;
  throw unsupported('This operation takes no body. Send the request without one.', noHeaders);
};

/** Compiles an operation's body. Where it declares none, one is refused, or ignored where methods give it no meaning. */
export const compileBody = (operation: Operation, tools: ContentTools): ReadBody => {
  const body = operation.requestBody;
  if (bodiless.has(operation.method)) return async () => undefined;
  if (body === undefined) {
    return bodyMethods.has(operation.method) ? refuseBody : async () => undefined;
  }
  const contents = body.content.map((content) => compileContent(content, body, tools));
  const match = mediaTypeMatcher(contents);
  /** How a body of that Content-Type is read; undefined where it is none of the declared, or cannot be read. */
  const contentOf = memoize(
    (contentType: string) => {
      const type = parseMediaType(contentType);
      const content = type && match(type);
      if (type === undefined || !content?.reads(contentType)) return undefined;
      const charset = charsetOf(contentType);
      const isReadable = charset === undefined || content.readsCharset(type.essence, charset);
      return { type, content, isReadable };
    },
    { max: 100 },
  );
  const absent = (fuel: Fuel): unknown => {
    if (body.required) throw invalidBody([bodyError('', 'is required')]);
    const [content] = contents;
    const value = content?.empty();
    return value !== undefined && content?.reads(concreteMediaType(content.key))
      ? drawFrom(fuel, () => content.check(value))
      : value;
  };
  const accepted = contents
    .filter(({ key, reads }) => key.includes('*') || reads(key))
    .map(({ key }) => key)
    .join(', ');
  const [headers, sentence] =
    accepted === ''
      ? [noHeaders, 'No body that this operation declares can be read here']
      : [sharedHeaders({ Accept: accepted }), `The body must be one of ${accepted}`];
  /** Zero bytes are a value where the type is one of bytes, and nothing at all elsewhere. */
  const isEmptyUpload = ({ headers }: IncomingMessage): boolean =>
    headers['content-length'] !== undefined &&
    contentOf(headers['content-type'] ?? '')?.content.readsBytes === true;
  return async (request, fuel) => {
    if (!bodyAnnounced(request) && !isEmptyUpload(request)) return absent(fuel);
    const found = contentOf(request.headers['content-type'] ?? '');
    if (found === undefined) throw unsupported(sentence, headers);
    const { type, content, isReadable } = found;
    if (!isReadable) throw unsupported('The charset of the body is not supported', headers);
    const value = await content.read(request, type, fuel).catch(refuseMalformed);
    return value === undefined ? absent(fuel) : drawFrom(fuel, () => content.check(value));
  };
};
