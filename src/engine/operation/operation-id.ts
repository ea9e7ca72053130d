/** Remembers which operation a response is of, for logs. */

import type { ServerResponse } from 'node:http';

const operationIds = new WeakMap<ServerResponse, string>();

/** To be called when a request has reached its operation. */
export const recordOperationId = (response: ServerResponse, operationId: string): void => {
  operationIds.set(response, operationId);
};

/** The operation that a request has reached; undefined where it has reached none. */
export const operationIdOf = (response: ServerResponse): string | undefined =>
  operationIds.get(response);
