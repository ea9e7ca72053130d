/** Finds the operation of a request and its handler: openapi-backend holds both, and a table of paths does its look-ups. */

import {
  type Document as BackendDocument,
  type Operation as BackendOperation,
  OpenAPIBackend,
  OpenAPIRouter,
  type Request,
} from 'openapi-backend';
import { emptyRecord } from '../../base/plain-object';
import type { Operation } from '../../model/operation';
import { type FindRoute, type Route, routeTable } from './route-table';

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
  readonly operationsWithoutHandler: readonly Operation[];
  /** operationIds */
  readonly handlersWithoutOperation: readonly string[];
}

/** Returns the operation of a method; GET answers HEAD (RFC 9110 section 9.3.2). */
const operationOf = ({ operations }: Route, method: string): Operation | undefined =>
  operations.get(method) ?? (method === 'HEAD' ? operations.get('GET') : undefined);

/**
 * Names each operation for openapi-backend, which tells operations apart by their ids alone: one whose id an earlier
 * operation has is named by its method and path, as one without an id is.
 */
const namedOperations = (operations: readonly Operation[]): ReadonlyMap<string, Operation> => {
  const named = new Map<string, Operation>();
  for (const operation of operations) {
    const { operationId, method, path } = operation;
    named.set(named.has(operationId) ? `${method} ${path}` : operationId, operation);
  }
  return named;
};

/** openapi-backend gets the operations from the router below: of a document it knows the methods of OpenAPI 3.1 alone. */
const definition: BackendDocument = { openapi: '', info: { title: '', version: '' }, paths: {} };

/**
 * openapi-backend's router with a table in place of its own look-up, which lists all operations and makes a regular
 * expression of each template for every request: 67 us and more with 20 operations, 11 ms with 1,000.
 *
 * @internal declarations of the package name no class of a package that it bundles
 */
export class TableRouter extends OpenAPIRouter {
  readonly routeAt: FindRoute;
  readonly #listed: ReadonlyMap<Operation | undefined, BackendOperation>;

  constructor(named: ReadonlyMap<string, Operation>) {
    super({ definition });
    this.routeAt = routeTable([...named.values()]);
    this.#listed = new Map(
      [...named].map(([operationId, operation]) => {
        const { path, method } = operation;
        return [operation, { operationId, path, method, responses: {} }];
      }),
    );
  }

  override getOperations(): BackendOperation[] {
    return [...this.#listed.values()];
  }

  /** Finds the operation of a request, and sets the request's `params` to the raw texts of the path template's names. */
  override matchOperation(request: Request): BackendOperation | undefined;
  override matchOperation(request: Request, strict: boolean): BackendOperation;
  override matchOperation(request: Request, strict = false): BackendOperation | undefined {
    const route = this.routeAt(request.path);
    const found = route && this.#listed.get(operationOf(route, request.method));
    if (found === undefined && strict) {
      throw new Error(`No operation matches ${request.method} ${request.path}`);
    }
    if (route !== undefined) request.params = route.path;
    return found;
  }
}

/**
 * Makes the router of a document's operations.
 * @param handlers by operationId
 */
export const operationRouter = <Handler>(
  operations: readonly Operation[],
  handlers: ReadonlyMap<string, Handler>,
): OperationRouter<Handler> => {
  const named = namedOperations(operations);
  const router = new TableRouter(named);
  const api = new OpenAPIBackend<BackendDocument>({ definition, quick: true, validate: false });
  // `init` would look each handler up in a new list of all operations: 10 ms each with 1,000.
  api.router = router;
  api.handlers = emptyRecord();
  for (const [operationId, handler] of handlers) api.register<Handler>(operationId, handler);
  return {
    matchOperation: (method, path) => {
      const request: Request = { method, path, headers: {} };
      const id = api.matchOperation(request)?.operationId ?? '';
      const operation = named.get(id);
      if (operation !== undefined) {
        const handler = api.handlers[id] as Handler | undefined;
        return { operation, path: request.params ?? {}, handler };
      }
      return router.routeAt(path);
    },
    operationsWithoutHandler: api
      .getOperations()
      .filter(({ operationId = '' }) => api.handlers[operationId] === undefined)
      .flatMap(({ operationId = '' }) => named.get(operationId) ?? []),
    handlersWithoutOperation: Object.keys(api.handlers).filter((id) => !named.has(id)),
  };
};
