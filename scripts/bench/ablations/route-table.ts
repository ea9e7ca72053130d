/** Without our route table: openapi-backend finds the operation of each request. A method that a path lacks is answered 404 then. */

import type { Document, OpenAPIRouter, ParsedRequest, Request } from 'openapi-backend';
import { moduleOf, packageOf } from './product';

const { prototype } = packageOf<typeof import('openapi-backend')>('openapi-backend').OpenAPIRouter;
const plainRouter = prototype as unknown as OpenAPIRouter<Document>;
const { TableRouter } = moduleOf<typeof import('../../../src/engine/paths/operation-router')>(
  'engine/paths/operation-router',
);

TableRouter.prototype.matchOperation = function matchOperation(request: Request) {
  const found = plainRouter.matchOperation.call(this, request, true);
  const { params }: ParsedRequest = this.parseRequest(request, found);
  request.params = params;
  return found;
};
