/** A request's body: pick the reader by Content-Type, decode, check (OAS 3.0.3, Request Body Object). */

import type { IncomingMessage } from 'node:http';
import type { MediaType, Operation, RequestBody } from '../document/model/operation';
import { HttpError, type ValidationError } from '../http/http-error';
import { concreteMediaType, mediaTypeMatcher, parseMediaType } from '../http/media-type';
import { bodyAnnounced } from '../http/request-head';
import { sharedHeaders } from '../http/response-head';
import { MalformedText } from '../lang/malformed-text';
import { lazy, memoize } from '../lang/memoize';
import { isPlainObject } from '../lang/plain-object';
import { isUnchecked } from '../media-types/codecs';
import { jsonCodec } from '../media-types/json/json';
import { noParts, withSchemas } from '../schema/schema-parts';
import type { Schema, Shape } from '../schema/shape';
import { type ContentTools, contentReader, type ReadContent } from './body-content';

/**
 * Reads, decodes and checks the body. Rejects with an HttpError: 415, 413, `invalid-body`, or `invalid-parameter` for the
 * identifier.
 */
export type ReadBody = (request: IncomingMessage) => Promise<unknown>;

// RFC 9110 sections 9.3.1, 9.3.2, 9.3.5: content in these has no defined meaning.
const bodiless = new Set(['get', 'head', 'delete']);

const invalidBody = (errors: readonly ValidationError[]): HttpError =>
  new HttpError(400, 'invalid-body', 'The request body is invalid', { errors });

const bodyError = (path: string, message: string): ValidationError => ({
  in: 'body',
  path,
  message,
});

/** A missing optional body reads as the empty value of its type, so that handlers need not tell the two apart. */
const emptyValue = (shape: Shape): (() => unknown) => {
  if (shape.type === 'object') return () => jsonCodec.reader(shape, 'request')('{}');
  if (shape.type === 'array') return () => [];
  if (shape.format === 'binary') return () => new Uint8Array();
  return () => undefined;
};

/** Makes the check of the property that `x-identifier` names: it must be present, and fit its schema. */
const identifierCheck = (schema: Schema, name: string, tools: ContentTools) => {
  const { parts } = withSchemas(noParts, [schema], tools.references);
  const property = parts.find(({ properties }) => properties?.[name])?.properties?.[name] ?? {};
  const validate = tools.validators.validatorOf(property, 'request');
  return (value: unknown): void => {
    if (!isPlainObject(value)) return;
    const identifier = Object.hasOwn(value, name) ? value[name] : undefined;
    const [error] =
      identifier === undefined ? [{ path: '', message: 'is required' }] : validate(identifier);
    if (error === undefined) return;
    throw new HttpError(400, 'invalid-parameter', `The identifier ${name} ${error.message}`, {
      errors: [bodyError(`/${name}${error.path}`, error.message)],
    });
  };
};

interface CompiledContent {
  readonly key: string;
  readonly readsBytes: boolean;
  readonly empty: () => unknown;
  readonly read: ReadContent;
  /** Whether values of that media type, without parameters, are checked at all. */
  isChecked(mediaType: string): boolean;
  /** The value itself; throws where anything is wrong with it. */
  check(value: unknown): unknown;
}

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
    // Multipart is read part by part, though no codec carries it as a whole.
    isChecked: (mediaType) => mediaType.startsWith('multipart/') || !isUnchecked(mediaType, shape),
    check(value) {
      checkIdentifier()(value);
      const errors = validate(value).map(({ path, message }) => bodyError(path, message));
      if (errors.length > 0) throw invalidBody(errors);
      return value;
    },
  };
};

/** What is no text of its format is an error of the body. */
const refuseMalformed = (error: unknown): never => {
  if (error instanceof MalformedText) throw invalidBody([bodyError(error.path, error.message)]);
  throw error;
};

/** Compiles an operation's body; an operation without one ignores what is sent. */
export const compileBody = (operation: Operation, tools: ContentTools): ReadBody => {
  const body = operation.requestBody;
  if (body === undefined || bodiless.has(operation.method)) return async () => undefined;
  const contents = body.content.map((content) => compileContent(content, body, tools));
  const match = mediaTypeMatcher(contents);
  /** How a body of that Content-Type is read; undefined where it is none of the declared. */
  const contentOf = memoize(
    (contentType: string) => {
      const type = parseMediaType(contentType);
      const content = type && match(type);
      return content && { type, content, isChecked: content.isChecked(type.essence) };
    },
    { max: 100 },
  );
  const absent = (): unknown => {
    if (body.required) throw invalidBody([bodyError('', 'is required')]);
    const [content] = contents;
    const value = content?.empty();
    return value !== undefined && content?.isChecked(concreteMediaType(content.key))
      ? content.check(value)
      : value;
  };
  const accepted = contents.map(({ key }) => key).join(', ');
  const acceptOnly = sharedHeaders({ Accept: accepted });
  const unsupported = (): HttpError =>
    new HttpError(415, 'unsupported-media-type', `The body must be one of ${accepted}`, {
      headers: acceptOnly,
    });
  /** Zero bytes are a value where the type is one of bytes, and nothing at all elsewhere. */
  const isEmptyUpload = ({ headers }: IncomingMessage): boolean =>
    headers['content-length'] !== undefined &&
    contentOf(headers['content-type'] ?? '')?.content.readsBytes === true;
  const read: ReadBody = async (request) => {
    const found = contentOf(request.headers['content-type'] ?? '');
    if (found === undefined) throw unsupported();
    const { type, content, isChecked } = found;
    const value = await content.read(request, type).catch(refuseMalformed);
    if (value === undefined) return absent();
    return isChecked ? content.check(value) : value;
  };
  return async (request) =>
    bodyAnnounced(request) || isEmptyUpload(request) ? read(request) : absent();
};
