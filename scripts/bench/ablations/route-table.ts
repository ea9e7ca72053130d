/** Without our route table: openapi-backend finds the operation of each request. A method that a path lacks is answered 404 then. */

import type { ParsedRequest } from 'openapi-backend';
import type { Operation } from '../../../src/engine/document/model/operation';
import { countRun, moduleOf, packageOf } from './product';

const { OpenAPIRouter } = packageOf<typeof import('openapi-backend')>('openapi-backend');

type Paths = Record<string, Record<string, { operationId: string; responses: object }>>;

const pathsOf = (operations: readonly Operation[]): Paths => {
  const paths: Paths = {};
  for (const { path, method, operationId } of operations) {
    paths[path] = { ...paths[path], [method]: { operationId, responses: {} } };
  }
  return paths;
};

moduleOf<typeof import('../../../src/engine/paths/operation-router')>(
  'engine/paths/operation-router',
).operationMatcher = (operations) => {
  const definition = {
    openapi: '3.0.3',
    info: { title: '', version: '' },
    paths: pathsOf(operations),
  };
  const router = new OpenAPIRouter({ definition });
  const known = new Map(operations.map((operation) => [operation.operationId, operation]));
  return (method, path) => {
    countRun();
    const request = { method, path, headers: {} };
    const found = router.matchOperation(request);
    const operation = known.get(found?.operationId ?? '');
    if (operation === undefined) return undefined;
    const { params }: ParsedRequest = router.parseRequest(request, found);
    return { operation, path: params as Readonly<Record<string, string>> };
  };
};
