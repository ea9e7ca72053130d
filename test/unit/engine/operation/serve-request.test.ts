/** The log line of a response that does not fit its document: the operation, and the place of the fault. */

import { beforeAll, expect, test } from '@jest/globals';
import type { HandlerResponse } from '../../../../src/engine/responses/response';
import { type ServedOrigin, serveDocument } from '../../../support/serve-document';

const item = { type: 'object', properties: { name: { type: 'string' } } };
const content = { 'application/json': { schema: { type: 'array', items: item } } };
const headers = { 'X-Count': { required: true, schema: { type: 'integer' } } };

let served: ServedOrigin;
let given: HandlerResponse;
let changes = 0;

beforeAll(async () => {
  served = await serveDocument({
    document: {
      paths: {
        '/items': {
          post: {
            operationId: 'addItem',
            responses: { 200: { description: 'Fine', content, headers } },
          },
        },
      },
    },
    handlers: {
      addItem: () => {
        changes += 1;
        return given;
      },
    },
  });
});

const body = [{ name: 'one' }, { name: 2 }];

test.each<[HandlerResponse, string]>([
  [{ status: 200, body, headers: { 'X-Count': 2 } }, "The response's body/1/name must be a string"],
  [{ status: 200, body: [], headers: {} }, 'The response lacks the header X-Count'],
  [{ status: 201, body: [] }, 'addItem answered 201, which is not declared'],
])('%j', async (response, message) => {
  given = response;
  changes = 0;
  const before = served.errors.length;
  expect((await fetch(`${served.url}/items`, { method: 'POST' })).status).toBe(500);
  expect(served.errors.slice(before)).toEqual([
    {
      operation: 'addItem',
      requestId: expect.any(String),
      err: expect.objectContaining({ message: expect.stringContaining(message) }),
    },
  ]);
  expect(changes).toBe(1);
});
