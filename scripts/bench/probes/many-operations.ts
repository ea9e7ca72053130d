/** Makes a document of any number of operations: fixed paths and templates, parameters, bodies, answers. */

import type { OpenAPIV3 } from 'openapi-types';

const item = (index: number): OpenAPIV3.SchemaObject => ({
  type: 'object',
  required: ['name'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    name: { type: 'string', maxLength: 100 + index },
    state: { type: 'string', enum: ['new', 'used', 'gone'] },
    parts: { type: 'array', items: { type: 'string' } },
  },
});

const answer = (index: number): OpenAPIV3.ResponsesObject => ({
  '200': {
    description: 'The item',
    content: { 'application/json': { schema: { $ref: `#/components/schemas/Item${index}` } } },
  },
});

const pathItem = (index: number): OpenAPIV3.PathItemObject => ({
  parameters: [
    { name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } },
  ],
  get: { operationId: `read${index}`, responses: answer(index) },
  put: {
    operationId: `replace${index}`,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/Item${index}` } } },
    },
    responses: answer(index),
  },
});

/** A document with that many operations, two a path. */
export const manyOperations = (count: number): OpenAPIV3.Document => {
  const indexes = Array.from({ length: Math.ceil(count / 2) }, (_, index) => index);
  return {
    openapi: '3.0.3',
    info: { title: `${count} operations`, version: '1' },
    paths: Object.fromEntries(indexes.map((index) => [`/items${index}/{id}`, pathItem(index)])),
    components: {
      schemas: Object.fromEntries(indexes.map((index) => [`Item${index}`, item(index)])),
    },
  };
};
