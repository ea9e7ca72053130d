/** Stands in for a handler that is not written yet: answers the operation's success, made from the document. */

import type { IncomingHttpHeaders } from 'node:http';
import { errorMessage } from '../../base/error-message';
import type { Operation, ResolvedResponse } from '../document/model/operation';
import { impliedSuccess } from '../document/model/operations';
import type { SchemaContext } from '../document/model/schema-context';
import { HttpError } from '../http/http-error';
import type { CompiledResponses, HandlerResponse, Representation } from '../responses/response';
import { mockBody, mockHeaders } from './mock-body';

/** What stands for keys that are no status. */
const statusOf: Readonly<Record<string, number>> = { '2XX': 200, default: 200, '3XX': 302 };

/** The lowest declared 2xx, else `2XX` or `default` as 200, else a redirect, else 200 without content. */
export const successResponse = (
  responses: readonly ResolvedResponse[],
): { readonly status: number; readonly response: ResolvedResponse } => {
  const codes = responses.map(({ key }) => key).sort();
  const keys = [
    ...codes.filter((key) => /^2\d\d$/.test(key)),
    ...['2XX', 'default'],
    ...codes.filter((key) => /^3\d\d$/.test(key)),
    '3XX',
  ];
  const [response = impliedSuccess] = keys.flatMap((wanted) =>
    responses.filter(({ key }) => key === wanted),
  );
  return { status: statusOf[response.key] ?? Number(response.key), response };
};

const preference = /(?:^|[,;])\s*example\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i;

/** The name of the example; undefined where none is asked for. */
export const preferredExample = (header: string | string[] | undefined): string | undefined => {
  const [, quoted, token] = preference.exec([header ?? ''].flat().join(', ')) ?? [];
  return quoted ?? token;
};

/** Makes the response to a request with these headers. Throws HttpError (501) where the document gives nothing to answer. */
type Mock = (headers: IncomingHttpHeaders) => HandlerResponse;

/** Marks a response that no handler has given. */
export const mockHeader = 'X-Mock';

type Made = Pick<HandlerResponse, 'body' | 'serialized' | 'headers'> | { readonly reason: string };

const made = (
  operation: Operation,
  offer: Representation | undefined,
  example: string | undefined,
  { headers: declared }: ResolvedResponse,
  tools: SchemaContext,
): Made => {
  try {
    const headers = mockHeaders(declared, offer?.mediaType, tools);
    if ('reason' in headers || offer === undefined) return headers;
    return { ...headers, ...mockBody(operation, offer, tools, example) };
  } catch (error) {
    // A schema that cannot be used is an error of the document, which the loader has told.
    return { reason: errorMessage(error) };
  }
};

/** Makes the mock of an operation. Nothing is made before it is asked for, nor twice. */
export const mockOf = (
  operation: Operation,
  responses: CompiledResponses,
  tools: SchemaContext,
): Mock => {
  const { operationId, responses: records } = operation;
  const refuse = (reason: string): HttpError =>
    new HttpError(501, 'not-implemented', `${operationId} has no handler and no mock: ${reason}`);
  const { status, response } = successResponse(records);
  const known = new Map<string, Made>();
  return ({ accept, prefer }) => {
    const offer = responses.find(status)?.offerFor(accept);
    const example = preferredExample(prefer);
    // Names that the document does not have are one, so that callers cannot fill the memory.
    const isDeclared = offer?.content.examples?.some(({ name }) => name === example) === true;
    const key = `${offer?.mediaType} ${isDeclared ? example : ''}`;
    const given = known.get(key) ?? made(operation, offer, example, response, tools);
    known.set(key, given);
    if ('reason' in given) throw refuse(given.reason);
    return { status, ...given, headers: { ...given.headers, [mockHeader]: 'true' } };
  };
};
