/** Has openapi-backend take each request to its handler, by whatever router: what asking its register once replaced. */

import type { Context, OpenAPIBackend, Request } from 'openapi-backend';
import type { Operation } from '../../../src/engine/document/model/operation';
import type { RoutedOperation } from '../../../src/engine/paths/operation-router';
import { countRun, moduleOf, packageOf } from './product';

const { OpenAPIBackend: Backend } = packageOf<typeof import('openapi-backend')>('openapi-backend');
const { routeTable } = moduleOf<typeof import('../../../src/engine/paths/route-table')>(
  'engine/paths/route-table',
);
const ours = moduleOf<typeof import('../../../src/engine/paths/operation-router')>(
  'engine/paths/operation-router',
);
const { allowedMethods } = ours;

/** How openapi-backend knows an operation: its own handlers' names are in the same object. */
export const nameOf = ({ operationId }: Operation): string => `operation ${operationId}`;

/** The definition that its own router needs, and no more. */
export const definitionOf = (operations: readonly Operation[]) => {
  const paths: Record<string, Record<string, { operationId: string; responses: object }>> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method]: { operationId: nameOf(operation), responses: {} } };
  }
  return { openapi: '3.0.3', info: { title: '', version: '' }, paths };
};

/** How the router is chosen, and what it found. */
export interface Routing {
  prepare(api: OpenAPIBackend, operations: readonly Operation[]): void;
  foundOf(context: Context, operations: ReadonlyMap<string, Operation>): RoutedOperation;
}

/** Replaces the product's router. */
export const handleRequests = ({ prepare, foundOf }: Routing): void => {
  ours.operationRouter = async (operations, targets) => {
    const find = routeTable(operations);
    const byName = new Map(operations.map((operation) => [nameOf(operation), operation]));
    const api = new Backend({
      definition: definitionOf(operations),
      quick: true,
      validate: false,
    });
    await api.init();
    prepare(api, operations);
    for (const operation of operations) {
      const serve = targets.operations.get(operation.operationId) ?? targets.notImplemented;
      api.registerHandler(nameOf(operation), (context, exchange) =>
        serve(foundOf(context, byName), exchange),
      );
    }
    api.register({
      notFound: (_: Context, exchange) => targets.notFound(exchange),
      methodNotAllowed({ request }: Context, exchange) {
        const operationsThere = find(request.path)?.operations.values() ?? [];
        targets.methodNotAllowed(allowedMethods(operationsThere), exchange);
      },
    });
    return (request, exchange) => {
      countRun();
      const asked: Request = { ...request, headers: {} };
      // What the targets throw is answered by themselves.
      void api.handleRequest(asked, exchange);
    };
  };
};
