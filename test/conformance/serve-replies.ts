/** Serves operations that answer what a test says. */

import type { UntypedHandler } from '../../src/engine/operation/handler';
import type { Answered } from '../support/ask';
import { serveDocument } from '../support/serve-document';
import { ask } from './ask';

/** An operation's Responses Object, what its handler gives, and what else the operation says. */
export interface Answering {
  readonly responses: object;
  readonly response: Awaited<ReturnType<UntypedHandler>>;
  readonly operation?: object;
}

/** An answer, and what the service logged as its own fault. */
export interface Replied extends Answered {
  readonly logged: readonly string[];
  /** True where the handler was called. */
  readonly called: boolean;
}

/** Asks the operation of that name. */
export type Get = (
  name: string,
  accept?: string,
  method?: string,
  query?: string,
) => Promise<Replied>;

/** Errors of Node's own modules are of another realm than the test's, so `instanceof` does not know them. */
const messageOf = (fields: object): string => {
  const error: unknown = 'err' in fields ? fields.err : undefined;
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : '';
};

/** Starts serving. */
export const serveResponses = async (
  operations: Readonly<Record<string, Answering>>,
  document: object = {},
  validateResponses = true,
): Promise<Get> => {
  let called = false;
  const served = await serveDocument({
    document: {
      paths: Object.fromEntries(
        Object.entries(operations).map(([operationId, { responses, operation }]) => [
          `/${operationId}`,
          { get: { operationId, responses, ...operation } },
        ]),
      ),
      ...document,
    },
    handlers: Object.fromEntries(
      Object.entries(operations).map(([operationId, { response }]) => [
        operationId,
        () => {
          called = true;
          return response;
        },
      ]),
    ),
    validateResponses,
  });
  return async (name, accept, method = 'GET', query = '') => {
    called = false;
    const before = served.errors.length;
    const headers = accept === undefined ? {} : { Accept: accept };
    const response = await ask(served.url, `/${name}${query}`, { method, headers });
    return { ...response, called, logged: served.errors.slice(before).map(messageOf) };
  };
};

/** A response with one schema under several media types. */
export const response = (schema: object, ...mediaTypes: readonly string[]): object => ({
  description: 'Fine',
  content: Object.fromEntries(
    (mediaTypes.length > 0 ? mediaTypes : ['application/json']).map((type) => [type, { schema }]),
  ),
});
