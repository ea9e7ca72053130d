/** Without a router of ours at all: openapi-backend finds the operation by its own, of the document's paths and methods. */

import { handleRequests } from './handle-requests';

handleRequests({
  prepare: () => {},
  foundOf({ operation, request }, operations) {
    const found = operations.get(operation.operationId ?? '');
    if (found === undefined) throw new Error(`There is no ${operation.operationId}`);
    return { operation: found, path: request.params as Readonly<Record<string, string>> };
  },
});
