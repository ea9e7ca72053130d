/** Sends one request to an operation with the given parameters and tells what its handler was called with. */

import { expect } from '@jest/globals';
import { serveDocument } from '../support/serve-document';
import { ask, type Response, witness } from './ask';

/** A Parameter Object; without a name it is `p`, without a place in the query. */
export type Declared = Readonly<Record<string, unknown>>;

/** Parameters, what is sent, and the values by name that the handler must be called with. */
export type Good = [
  title: string,
  parameters: Declared | readonly Declared[],
  target: string,
  values: object,
  headers?: Readonly<Record<string, string>>,
];

/** Parameters, what is sent, and the errors that the response must list: their places, or places with messages. */
export type Bad = [
  title: string,
  parameters: Declared | readonly Declared[],
  target: string,
  faults: readonly string[],
  headers?: Readonly<Record<string, string>>,
];

/** Schemas in common use. */
export const text = { type: 'string' };
export const integer = { type: 'integer' };
export const int64 = { type: 'integer', format: 'int64' };
export const list = (items: object) => ({ type: 'array', items });
export const color = {
  type: 'object',
  properties: { R: { type: 'integer' }, G: { type: 'integer', format: 'int64' } },
};

/** What only a parameter says. */
export const inPath = (schema: object, more: Declared = {}): Declared => ({
  in: 'path',
  schema,
  ...more,
});
export const inQuery = (schema: object, more: Declared = {}): Declared => ({ schema, ...more });
export const inHeader = (schema: object, more: Declared = {}): Declared => ({
  in: 'header',
  name: 'X-P',
  schema,
  ...more,
});
export const inCookie = (schema: object, more: Declared = {}): Declared => ({
  in: 'cookie',
  schema,
  ...more,
});

/**
 * Serves and asks once. Path parameters stand behind `/a`, one segment each, in their order.
 * @param target what follows `/a`: the raw rest of the path, the query, or both
 */
export const readParameters = async (
  declared: Declared | readonly Declared[],
  target: string,
  headers: Readonly<Record<string, string>> = {},
) => {
  const parameters = [declared].flat().map((parameter) => ({
    name: 'p',
    in: 'query',
    ...(parameter['in'] === 'path' ? { required: true } : {}),
    ...parameter,
  }));
  const segments = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => `/{${name}}`);
  const { handler, calls } = witness();
  const { url } = await serveDocument({
    document: {
      paths: {
        [`/a${segments.join('')}`]: {
          get: { operationId: 'a', parameters, responses: { 200: { description: 'Fine' } } },
        },
      },
    },
    handlers: { a: handler },
  });
  const response = await ask(url, `/a${target}`, { headers });
  const [call] = calls;
  const values = call && { ...call.path, ...call.query, ...call.header, ...call.cookie };
  return { response, values };
};

/** The handler is called with these typed values. */
export const reads = async (...[, parameters, target, values, headers]: Good): Promise<void> => {
  const { response, values: read } = await readParameters(parameters, target, headers);
  expect([response.status, read]).toEqual([200, values]);
};

/** The errors of the response; a message counts only where one is wanted. */
const errorsOf = (response: Response, wanted: readonly string[]): string[] =>
  JSON.parse(response.body).errors.map(
    ({ in: location, path, message }: Record<'in' | 'path' | 'message', string>, index: number) => {
      const place = `${location} ${path}`;
      return wanted[index] === place ? place : `${place} ${message}`;
    },
  );

/** The handler is not called; the response is 400 and lists these errors. */
export const refuses = async (...[, parameters, target, faults, headers]: Bad): Promise<void> => {
  const { response, values } = await readParameters(parameters, target, headers);
  expect([response.status, values]).toEqual([400, undefined]);
  expect(errorsOf(response, faults)).toEqual(faults);
};
