/** Serves operations that do nothing but tell which of them was reached. */

import { serveDocument } from '../support/serve-document';

/** A response without content. */
export const responses = { 200: { description: 'Fine' } };

/** A required parameter of the path. */
export const pathParameter = (name: string) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
});

/** A document whose operations are named by their ids. */
export const paths = (ids: Readonly<Record<string, Readonly<Record<string, string>>>>): object =>
  Object.fromEntries(
    Object.entries(ids).map(([path, methods]) => [
      path,
      {
        parameters: [...path.matchAll(/\{([^{}]+)\}/g)].map((match) =>
          pathParameter(match[1] ?? ''),
        ),
        ...Object.fromEntries(
          Object.entries(methods).map(([method, operationId]) => [
            method,
            { operationId, responses },
          ]),
        ),
      },
    ]),
  );

/** Serves a document; every operation tells which one it is. */
export const servePaths = async (document: object, ...operationIds: string[]) => {
  const reached: unknown[] = [];
  const handlers = operationIds.map((operationId) => [
    operationId,
    ({ path }: { path: object }) => {
      reached.push([operationId, { ...path }]);
      return { status: 200 };
    },
  ]);
  const served = await serveDocument({ document, handlers: Object.fromEntries(handlers) });
  return { ...served, reached };
};
