/** Remembers which operation a response is of, for logs. */

import type { ServerResponse } from 'node:http';
import type { Operation } from '../document/model/operation';

const operations = new WeakMap<ServerResponse, Operation>();

/** To be called when a request has reached its operation. */
export const recordOperation = (response: ServerResponse, operation: Operation): void => {
  operations.set(response, operation);
};

/** The operation that a request has reached; undefined where it has reached none. */
export const operationOf = (response: ServerResponse): Operation | undefined =>
  operations.get(response);
