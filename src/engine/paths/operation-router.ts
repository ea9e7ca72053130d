/** Finds the operation of a request by a table of paths, and its handler, which openapi-backend holds by the operationId. */

import { type Document, OpenAPIBackend } from 'openapi-backend';
import { emptyRecord } from '../../base/plain-object';
import type { Operation } from '../../model/operation';
import { type Route, routeTable } from './route-table';

/** An operation and the parameters of its path. */
export interface RoutedOperation<Handler = unknown> {
  readonly operation: Operation;
  /** The raw texts of the path template's names. */
  readonly path: Route['path'];
  readonly handler: Handler | undefined;
}

/** The result of a look-up: an operation, or the headers that say what the path takes. */
export type Match<Handler = unknown> = RoutedOperation<Handler> | Pick<Route, 'allowed'>;

/** The operations of a document, with their handlers. */
export interface OperationRouter<Handler> {
  /**
   * Finds the operation of a request.
   * @param method as it was sent: case matters
   * @param path raw, relative to the base path, without the query
   * @returns undefined where no operation has the path
   */
  matchOperation(method: string, path: string): Match<Handler> | undefined;
  handlerOf(operation: Operation): Handler | undefined;
  readonly operationsWithoutHandler: readonly Operation[];
  /** operationIds */
  readonly handlersWithoutOperation: readonly string[];
}

/** Paths are looked up in a table of ours: openapi-backend goes through all of them for each request (decision 0003). */
const definition: Document = { openapi: '', info: { title: '', version: '' }, paths: {} };

/**
 * Makes the router of a document's operations.
 * @param handlers by operationId
 */
export const operationRouter = <Handler>(
  operations: readonly Operation[],
  handlers: ReadonlyMap<string, Handler>,
): OperationRouter<Handler> => {
  const api = new OpenAPIBackend<Document>({ definition, quick: true, validate: false });
  api.handlers = emptyRecord();
  for (const [operationId, handler] of handlers) api.register<Handler>(operationId, handler);
  // Where two operations have one id, the first one has the handler.
  const byId = new Map(operations.toReversed().map((one) => [one.operationId, one]));
  const handlerOf = (operation: Operation): Handler | undefined => {
    const { operationId } = operation;
    return byId.get(operationId) === operation
      ? (api.handlers[operationId] as Handler | undefined)
      : undefined;
  };
  const routeAt = routeTable(operations);
  return {
    matchOperation: (method, path) => {
      const route = routeAt(path);
      // GET answers HEAD (RFC 9110 section 9.3.2).
      const operation =
        route?.operations.get(method) ??
        (method === 'HEAD' ? route?.operations.get('GET') : undefined);
      if (route === undefined || operation === undefined) return route;
      return { operation, path: route.path, handler: handlerOf(operation) };
    },
    handlerOf,
    operationsWithoutHandler: operations.filter((one) => handlerOf(one) === undefined),
    handlersWithoutOperation: Object.keys(api.handlers).filter((id) => !byId.has(id)),
  };
};
