/** Without asking openapi-backend's register once: it takes each request to its handler itself, with our table as its router. */

import type { ParsedRequest } from 'openapi-backend';
import type { RoutedOperation, RoutedRequest } from '../../../src/engine/paths/operation-router';
import { definitionOf, handleRequests, nameOf } from './handle-requests';
import { moduleOf, packageOf } from './product';

const { OpenAPIRouter } = packageOf<typeof import('openapi-backend')>('openapi-backend');
const { routeTable } = moduleOf<typeof import('../../../src/engine/paths/route-table')>(
  'engine/paths/route-table',
);

handleRequests({
  prepare(api, operations) {
    const find = routeTable(operations);
    const names = new Set(operations.map(nameOf));
    class TableRouter extends OpenAPIRouter {
      override matchOperation({ method, path }: RoutedRequest): never {
        const route = find(path);
        if (route === undefined) throw new Error('404-notFound');
        const operation = route.operations.get(method.toLowerCase() as 'get');
        if (operation === undefined) throw new Error('405-methodNotAllowed');
        return { operationId: nameOf(operation), operation, path: route.path } as never;
      }

      override getOperation(operationId: string): never {
        return (names.has(operationId) ? { operationId } : undefined) as never;
      }

      // Parameters and bodies are read by the document, not here.
      override parseRequest(request: unknown): ParsedRequest {
        return request as ParsedRequest;
      }
    }
    api.router = new TableRouter({ definition: definitionOf([]) }) as unknown as typeof api.router;
  },
  foundOf: ({ operation }) => operation as unknown as RoutedOperation,
});
