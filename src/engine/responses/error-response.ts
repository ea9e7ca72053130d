/** Errors as responses: the declared status and text, in the caller's format, in the document's own error shape. */

import type { OpenAPIV3 } from 'openapi-types';
import type { ApiDocument } from '../document/document';
import type { ResolvedResponse } from '../document/model/operation';
import { resolveResponses } from '../document/model/operations';
import { HttpError, type HttpErrorCode, noHeaders } from '../http/http-error';
import { sharedHeaders } from '../http/response-head';
import type { HttpResponse } from '../http/send';
import { compileShapes } from '../schema/compile-shapes';
import { compileValidators } from '../schema/validation/compile-validators';
import {
  type CompiledResponse,
  type CompiledResponses,
  compileResponse,
  type HandlerResponse,
} from './response';
import type { ResponseContext } from './response-headers';

/** The statuses of an invalid request, best first: the first one that the operation declares is taken. */
const preference: Partial<Record<HttpErrorCode, readonly number[]>> = {
  'invalid-parameter': [400, 405, 422],
  'invalid-body': [405, 422],
};

/** What the caller is told of an error. */
type ErrorResponse = Pick<HttpError, 'status' | 'code' | 'message' | 'headers' | 'errors'>;

/**
 * Compiles what gives an error the status that one operation declares, and the document's text for it.
 * @param allow the Allow header that every 405 must carry (RFC 9110 section 15.5.6), also where the document uses 405 for
 * invalid input
 */
export const compileErrorMapping = (responses: readonly ResolvedResponse[], allow: string) => {
  const texts = new Map(responses.map(({ key, description }) => [key, description]));
  const allowed = sharedHeaders({ Allow: allow });
  const headersOf = (status: number, { headers }: HttpError): HttpError['headers'] => {
    if (status !== 405) return headers;
    return headers === noHeaders ? allowed : { ...allowed, ...headers };
  };
  return (error: HttpError): ErrorResponse => {
    const { code, message, errors } = error;
    const preferred = preference[code]?.find((status) => texts.has(String(status)));
    const status = preferred ?? error.status;
    const headers = headersOf(status, error);
    return { status, code, message: texts.get(String(status)) || message, headers, errors };
  };
};

/** The error behind `fail(status)`: a declared failure with the document's own text. */
export const declaredError =
  (operationId: string, responses: readonly ResolvedResponse[]) =>
  (status: number): Error => {
    const response = responses.find(({ key }) => key === String(status));
    return response === undefined
      ? new Error(`${operationId} fails with ${status}, which its document does not declare`)
      : new HttpError(status, 'declared', response.description);
  };

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

/**
 * The responses to an error that no response of an operation covers: the document's `x-fallback-response`, else a body of our
 * own.
 */
export const fallbackResponses = (
  { definition, references }: ApiDocument,
  tools: ResponseContext,
): readonly CompiledResponse[] => {
  const entry = (definition as { readonly 'x-fallback-response'?: OpenAPIV3.ReferenceObject })[
    'x-fallback-response'
  ];
  const declared = entry === undefined ? [] : resolveResponses({ default: entry }, references);
  return [...declared, ownResponse].map((record) => compileResponse(record, tools));
};

/** The writer of errors outside of any document. */
export const defaultErrors = (): WriteError => {
  const resolve = (ref: string): never => {
    throw new Error(`There is no document to resolve ${ref} in`);
  };
  const shapeOf = compileShapes({ resolve, accepts: () => () => true });
  const validators = compileValidators({ resolve });
  const own = compileResponse(ownResponse, { shapeOf, validators, validateResponses: false });
  return compileErrors([], undefined, [own], '');
};

// V8 makes a hidden class at each call where a property stands behind a spread: garbage among the old, a collection in 0.6 s.
const responseOf = ({ status, code, message, headers, errors }: ErrorResponse): HandlerResponse => {
  const body =
    errors.length > 0
      ? { code: status, type: code, message, errors }
      : { code: status, type: code, message };
  return { status, headers, body };
};

const htmlTypes = /^(?:text\/(?:html|\*)|\*\/\*)/i;

/**
 * Compiles an operation's errors.
 * @param responses undefined where no operation was reached
 * @param allow the methods of the path, for the Allow header of a 405
 */
export const compileErrors = (
  records: readonly ResolvedResponse[],
  responses: CompiledResponses | undefined,
  fallback: readonly CompiledResponse[],
  allow: string,
): WriteError => {
  const settle = compileErrorMapping(records, allow);
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
    const given = responseOf(settled);
    const declared = responses?.find(settled.status);
    for (const response of declared === undefined ? fallback : [declared, ...fallback]) {
      try {
        return response.write(given, accept);
      } catch {
        // The document's schema has no place for this body: the next one has.
      }
    }
    return { status: settled.status, headers: settled.headers, body: undefined };
  };
};
