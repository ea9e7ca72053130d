/**
 * Routes requests: openapi-backend finds the handler of an operation and calls it, or what is registered for requests without one. In
 * place of its router, which goes through all operations for each request, it has one that asks the table of paths (decision 0003).
 */

import type {
  Context,
  Document,
  ParsedRequest,
  Request,
  Operation as RoutedOperation,
} from 'openapi-backend';
import { lazy } from '../../base/memoize';
import { emptyRecord } from '../../base/plain-object';
import type { LoadedDocument } from '../../document/document';
import type { AllowHeaders } from '../../http/http-error';
import type { Operation } from '../../model/operation';
import { type Route, routeTable } from './route-table';

/** An operation that a request has reached. */
export interface Match<Handler> {
  readonly operation: Operation;
  /** The raw texts of the path template's names. */
  readonly path: Route['path'];
  /** Undefined where the operation has none. */
  readonly handler: Handler | undefined;
}

/** Finds the handler of each operation; where two operations have one id, the first one has it. */
export const handlersByOperation = <Handler>(
  operations: readonly Operation[],
  handlers: ReadonlyMap<string, Handler>,
): ReadonlyMap<Operation, Handler> => {
  const first = new Map(
    operations.toReversed().map((operation) => [operation.operationId, operation]),
  );
  const found = [...first].flatMap(([operationId, operation]) => {
    const handler = handlers.get(operationId);
    return handler === undefined ? [] : [[operation, handler] as const];
  });
  return new Map(found);
};

/** Names operations as openapi-backend needs it: each by a name of its own, and none by one that means something else to it. */
const uniqueNames = (
  operations: readonly Operation[],
  reserved: readonly string[],
): ReadonlyMap<string, Operation> => {
  const taken = new Set(reserved);
  return new Map(
    operations.map((operation) => {
      let name = operation.operationId;
      while (taken.has(name)) name += ' ';
      taken.add(name);
      return [name, operation];
    }),
  );
};

/** The request as openapi-backend hands it on; the router adds the texts of its path. */
interface RoutedRequest extends Request {
  params: Route['path'];
}

const noTexts: Route['path'] = emptyRecord<string>();

// openapi-backend tells the two by the beginning of the message. Made once: the stack of an error costs more than a look-up.
const notFound = new Error('404-notFound');
const methodNotAllowed = new Error('405-methodNotAllowed');

/** Loads openapi-backend, which takes a while, and which what only reads documents does not need. */
const backend = lazy(() => {
  const { OpenAPIBackend, OpenAPIRouter } =
    require('openapi-backend') as typeof import('openapi-backend');

  /** A router that finds operations by the table of paths, and leaves reading the request to the engine. */
  class TableRouter extends OpenAPIRouter<Document> {
    readonly #routeAt: (path: string) => Route | undefined;
    readonly #routed: ReadonlyMap<Operation, RoutedOperation>;
    readonly #named: ReadonlyMap<string, RoutedOperation>;

    constructor(definition: Document, operations: ReadonlyMap<string, Operation>) {
      super({ definition });
      this.#routeAt = routeTable([...operations.values()]);
      // Security is the engine's own.
      this.#routed = new Map(
        [...operations].map(([operationId, operation]) => {
          const { path, method } = operation;
          return [operation, { operationId, path, method, responses: {}, security: [] }];
        }),
      );
      this.#named = new Map(
        [...this.#routed.values()].map((routed) => [routed.operationId ?? '', routed]),
      );
    }

    override matchOperation(request: Request): RoutedOperation {
      const { method, path } = request;
      const route = this.#routeAt(path);
      if (route === undefined) throw notFound;
      const { operations } = route;
      // GET answers HEAD (RFC 9110 section 9.3.2).
      const operation =
        operations.get(method) ?? (method === 'HEAD' ? operations.get('GET') : undefined);
      const routed = operation && this.#routed.get(operation);
      if (routed === undefined) throw methodNotAllowed;
      (request as RoutedRequest).params = route.path;
      return routed;
    }

    allowedAt(path: string): AllowHeaders {
      return this.#routeAt(path)?.allowed ?? { Allow: '' };
    }

    override getOperation(operationId: string): RoutedOperation | undefined {
      return this.#named.get(operationId);
    }

    override parseRequest(request: Request): ParsedRequest {
      return request as ParsedRequest;
    }
  }

  return { OpenAPIBackend, TableRouter };
});

/**
 * Makes the router of a document's operations, which calls the target of each request.
 * @param handlers those of operations
 * @returns routes a request: its method as it was sent (case matters), and its path, raw, relative to the base path, without the query
 */
export const operationRouter = <Handler, Work, Result>(
  { definition, operations }: Pick<LoadedDocument, 'definition' | 'operations'>,
  handlers: ReadonlyMap<Operation, Handler>,
  targets: {
    operation(work: Work, match: Match<Handler>): Promise<Result> | Result;
    notFound(work: Work): Promise<Result> | Result;
    methodNotAllowed(work: Work, allowed: AllowHeaders): Promise<Result> | Result;
  },
): ((method: string, path: string, work: Work) => Promise<Result>) => {
  const { OpenAPIBackend, TableRouter } = backend();
  const api = new OpenAPIBackend<Document>({ definition, quick: true, validate: false });
  const named = uniqueNames(operations, api.allowedHandlers);
  const router = new TableRouter(definition, named);
  // Its own `init` would go through the whole document once more.
  Object.assign(api, { definition, router, handlers: emptyRecord(), initialized: true });
  type Target = (context: Context, work: Work) => Promise<Result> | Result;
  for (const [name, operation] of named) {
    const handler = handlers.get(operation);
    if (handler === undefined) continue;
    api.register<Target>(name, ({ request: { params } }, work) =>
      targets.operation(work, { operation, path: params, handler }),
    );
  }
  api.register<Target>('notImplemented', ({ operation: { operationId }, request }, work) => {
    const operation = named.get(operationId ?? '');
    if (operation === undefined) throw new Error(`No operation is called ${operationId}`);
    return targets.operation(work, { operation, path: request.params, handler: undefined });
  });
  api.register<Target>('notFound', (_, work) => targets.notFound(work));
  api.register<Target>('methodNotAllowed', ({ request: { path } }, work) =>
    targets.methodNotAllowed(work, router.allowedAt(path)),
  );
  return (method, path, work) => {
    const request: RoutedRequest = { method, path, headers: {}, params: noTexts };
    return api.handleRequest(request, work);
  };
};
