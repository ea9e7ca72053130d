/** Errors as responses: the declared status and text, in the caller's format, in the document's own error shape. */

import type { OpenAPIV3 } from 'openapi-types';
import { lazy, memoize } from '../../base/memoize';
import type { ApiDocument } from '../document/document';
import type { MediaType, ResolvedResponse } from '../document/model/operation';
import { resolveResponses } from '../document/model/operations';
import type { HttpError } from '../http/http-error';
import { concreteMediaType } from '../http/media-type';
import type { HttpResponse } from '../http/send';
import { type ErrorForm, errorFormOf } from '../media-types/error-form';
import { compileShapes } from '../schema/compile-shapes';
import { compileValidators } from '../schema/validation/compile-validators';
import { errorBody } from './error-body';
import { compileErrorMapping, type ErrorResponse } from './error-mapping';
import { compileResponse, responseFinder } from './response';
import type { ResponseContext } from './response-headers';

/** Writes an error whose status is settled; throws where the response has no place for it. */
type WriteSettled = (error: ErrorResponse, accept: string | undefined) => HttpResponse;

/** What writes the errors that no response covers, in turn. */
export type ErrorFallback = readonly WriteSettled[];

/** Another body for an error than the document's; undefined where that one is to be. */
export type WritePage = (
  error: Pick<HttpError, 'status' | 'message'>,
) => Pick<HttpResponse, 'headers' | 'body'> | undefined;

/** Turns an error into its response. A page is asked for only where the operation declares no HTML of its own. */
export type WriteError = (
  error: HttpError,
  accept: string | undefined,
  page?: WritePage,
) => HttpResponse;

/** The error body where a document declares none of its own. */
const ownErrorSchema: OpenAPIV3.SchemaObject = {
  type: 'object',
  xml: { name: 'error' },
  properties: {
    code: { type: 'integer', format: 'int32' },
    type: { type: 'string' },
    message: { type: 'string' },
  },
};

const ownResponse: ResolvedResponse = {
  key: 'default',
  description: '',
  headers: [],
  content: ['application/json', 'application/xml'].map((key) => ({
    key,
    schema: ownErrorSchema,
    encoding: {},
  })),
};

/** Compiles the writer of the errors that a response is declared for; undefined where its content has no place for any. */
const compileWriter = (
  record: ResolvedResponse,
  tools: ResponseContext,
): WriteSettled | undefined => {
  const forms = new Map<MediaType, ErrorForm>();
  for (const content of record.content) {
    const shape = tools.shapeOf(content.schema ?? {});
    const form = errorFormOf(concreteMediaType(content.key), shape);
    if (form !== undefined) forms.set(content, form);
  }
  if (forms.size === 0 && record.content.length > 0) return undefined;
  const response = compileResponse({ ...record, content: [...forms.keys()] }, tools);
  const [form = 'object', ...others] = new Set(forms.values());
  const formFor = (accept: string | undefined): ErrorForm => {
    const content = others.length === 0 ? undefined : response.offerFor(accept)?.content;
    return (content && forms.get(content)) ?? form;
  };
  return (error, accept) => {
    const { status, headers } = error;
    return response.write({ status, headers, body: errorBody(formFor(accept), error) }, accept);
  };
};

/** The same, compiled at the first error. */
const errorWriter = (record: ResolvedResponse, tools: ResponseContext): WriteSettled => {
  const writer = lazy(() => compileWriter(record, tools));
  return (error, accept) => {
    const write = writer();
    if (write === undefined) throw new Error('The response has no place for an error');
    return write(error, accept);
  };
};

/**
 * What answers an error that no response of an operation covers: the document's `x-fallback-response`, else a body of our
 * own.
 */
export const fallbackResponses = (
  { definition, references }: ApiDocument,
  tools: ResponseContext,
): ErrorFallback => {
  const entry = (definition as { readonly 'x-fallback-response'?: OpenAPIV3.ReferenceObject })[
    'x-fallback-response'
  ];
  const declared = entry === undefined ? [] : resolveResponses({ default: entry }, references);
  return [...declared, ownResponse].map((record) => errorWriter(record, tools));
};

/** The writer of errors outside of any document. */
export const defaultErrors = (): WriteError => {
  const resolve = (ref: string): never => {
    throw new Error(`There is no document to resolve ${ref} in`);
  };
  const shapeOf = compileShapes({ resolve, accepts: () => () => true });
  const validators = compileValidators({ resolve });
  const tools = { shapeOf, validators, validateResponses: false };
  return compileErrors([], tools, [errorWriter(ownResponse, tools)], '');
};

const everyStatus = { max: 600 };

const htmlTypes = /^(?:text\/(?:html|\*)|\*\/\*)/i;

/**
 * Compiles an operation's errors.
 * @param records the operation's responses; none where no operation was reached
 * @param fallback what writes the errors that no response covers, or has a place for
 * @param allow the methods of the path, for the Allow header of a 405
 */
export const compileErrors = (
  records: readonly ResolvedResponse[],
  tools: ResponseContext,
  fallback: ErrorFallback,
  allow: string,
): WriteError => {
  const settle = compileErrorMapping(records, allow);
  const find = responseFinder(records);
  const writersFor = memoize((status: number): readonly WriteSettled[] => {
    const record = find(status);
    return record === undefined ? fallback : [errorWriter(record, tools), ...fallback];
  }, everyStatus);
  const hasHtml = records.some(({ content }) => content.some(({ key }) => htmlTypes.test(key)));
  const pageOf = (
    settled: ErrorResponse,
    page: WritePage | undefined,
  ): HttpResponse | undefined => {
    const made = hasHtml ? undefined : page?.(settled);
    const { status, headers } = settled;
    return made && { status, headers: { ...headers, ...made.headers }, body: made.body };
  };
  return (error, accept, page) => {
    const settled = settle(error);
    const made = pageOf(settled, page);
    if (made !== undefined) return made;
    for (const write of writersFor(settled.status)) {
      try {
        return write(settled, accept);
      } catch {
        // The document's schema has no place for this body: the next one has.
      }
    }
    return { status: settled.status, headers: settled.headers, body: undefined };
  };
};
