/** Hands each request to what is registered under its operationId. openapi-backend keeps the register; our table finds the operation. */

import { type Handler, OpenAPIBackend, OpenAPIRouter } from 'openapi-backend';
import type { OpenAPIV3 } from 'openapi-types';
import type { Operation } from '../document/model/operation';
import { type Route, routeTable } from './route-table';

/** A request as far as routing needs it. */
export interface RoutedRequest {
  /** Upper case. */
  readonly method: string;
  /** Raw, relative to the base path, without the query. */
  readonly path: string;
}

/** The operation that a request reached, and the raw texts of its path template's names. */
export interface RoutedOperation {
  readonly operation: Operation;
  readonly path: Route['path'];
}

/** Who answers. `Exchange` is whatever the caller of `route` hands through. */
export interface RouteTargets<Exchange> {
  /** By operationId. */
  readonly operations: ReadonlyMap<string, (routed: RoutedOperation, exchange: Exchange) => void>;
  /** An operation of the document that has no entry above. */
  notImplemented(routed: RoutedOperation, exchange: Exchange): void;
  notFound(exchange: Exchange): void;
  /** The path is known, the method is not; `allow` is the value of the Allow header. */
  methodNotAllowed(allow: string, exchange: Exchange): void;
}

/** Hands a request to its target. Throws only what the target throws. */
export type RouteRequest<Exchange> = (request: RoutedRequest, exchange: Exchange) => void;

/** Nothing of the document: openapi-backend neither routes by it nor validates. */
const emptyDefinition: OpenAPIV3.Document = {
  openapi: '3.0.3',
  info: { title: '', version: '' },
  paths: {},
};

/** HEAD is answered by GET (RFC 9110 section 9.3.2). */
const operationOf = (route: Route, method: string): Operation | undefined =>
  route.operations.get(method.toLowerCase()) ??
  (method === 'HEAD' ? route.operations.get('get') : undefined);

/** The methods that the operations of one path answer, for the Allow header (RFC 9110 section 10.2.1). */
export const allowedMethods = (operations: Iterable<Operation>): string => {
  const methods = [...operations].map(({ method }) => method.toUpperCase());
  const implied = methods.includes('GET') ? ['HEAD', 'OPTIONS'] : ['OPTIONS'];
  return [...new Set([...methods, ...implied])].sort().join(', ');
};

/**
 * How openapi-backend knows an operation. It keeps its own handlers (notFound and others) in the same plain object, where an
 * operationId may be any text.
 */
const handlerName = (operationId: string): string => `operation ${operationId}`;

/** Knows which operations there are; openapi-backend's own router lists all of them anew whenever it is asked for one. */
class KnownOperations extends OpenAPIRouter {
  readonly #names: ReadonlySet<string>;

  constructor(operations: readonly Operation[]) {
    super({ definition: emptyDefinition });
    this.#names = new Set(operations.map(({ operationId }) => handlerName(operationId)));
  }

  override getOperation(name: string): never {
    return (this.#names.has(name) ? { operationId: name } : undefined) as never;
  }
}

/** What a registered handler is told beside the exchange. */
type Target<Exchange> = (routed: RoutedOperation, exchange: Exchange) => void;

/** Registers the handlers, and gives what is registered for an operation. */
const register = async <Exchange>(
  operations: readonly Operation[],
  targets: RouteTargets<Exchange>,
): Promise<(operation: Operation) => Target<Exchange>> => {
  const api = new OpenAPIBackend({ definition: emptyDefinition, quick: true, validate: false });
  await api.init();
  api.router = new KnownOperations(operations) as unknown as typeof api.router;
  const add = (name: string, target: Target<Exchange>): void =>
    api.registerHandler(name, target as unknown as Handler);
  for (const [operationId, serve] of targets.operations) add(handlerName(operationId), serve);
  const handlers = api.handlers as unknown as Readonly<Record<string, Target<Exchange>>>;
  return ({ operationId }) => handlers[handlerName(operationId)] ?? targets.notImplemented;
};

/**
 * Sets the router up. openapi-backend's own way from a request to its handler (`handleRequest`) looks the operation up in 67 to
 * 170 us with 20 operations (11 ms with 1,000), and even with a table in its place takes five promises and a list of security
 * handlers that nobody registered: 15 us of 100 for a read. So its register is asked once for each operation, here.
 */
export const operationRouter = async <Exchange>(
  operations: readonly Operation[],
  targets: RouteTargets<Exchange>,
): Promise<RouteRequest<Exchange>> => {
  const find = routeTable(operations);
  const handlerOf = await register(operations, targets);
  const handlers = new Map(operations.map((operation) => [operation, handlerOf(operation)]));
  return ({ method, path }, exchange) => {
    const route = find(path);
    if (route === undefined) {
      targets.notFound(exchange);
      return;
    }
    const operation = operationOf(route, method);
    const handle = operation && handlers.get(operation);
    if (handle) handle({ operation, path: route.path }, exchange);
    else targets.methodNotAllowed(allowedMethods(route.operations.values()), exchange);
  };
};
