/** Serves one operation for each schema: it takes a value and gives the same one back. */

import type { Answered } from '../support/ask';
import { serveDocument } from '../support/serve-document';
import { ask } from './ask';

/** Schemas by a name of the test's choice. */
export type Schemas = Readonly<Record<string, object>>;

/** The result of one value. */
export interface Echo extends Answered {
  /** The argument of the handler; `refused` where it was not called. */
  readonly received: unknown;
}

/** Stands for a value that never reached the handler. */
export const refused = Symbol('refused');

/** Sends a text to the schema of that name. */
export type SendTo = (
  name: string,
  body: string | Uint8Array,
  contentType?: string,
  accept?: string,
) => Promise<Echo>;

const mediaTypes = ['application/json', 'application/xml', 'application/x-www-form-urlencoded'];

const operationOf = (name: string, schema: object, encoding: object): object => ({
  post: {
    operationId: name,
    requestBody: {
      content: Object.fromEntries(
        mediaTypes.map((type) => [
          type,
          { schema, ...(type.includes('form') ? { encoding } : {}) },
        ]),
      ),
    },
    responses: {
      200: {
        description: 'The value',
        content: Object.fromEntries(mediaTypes.slice(0, 2).map((type) => [type, { schema }])),
      },
    },
  },
});

/**
 * Starts serving.
 * @param components schemas that the others refer to
 * @param encodings Encoding Objects of the form, by the schema's name
 */
export const serveSchemas = async (
  schemas: Schemas,
  components: Schemas = {},
  encodings: Schemas = {},
  openapi = '3.0.3',
): Promise<SendTo> => {
  let received: unknown = refused;
  const names = Object.keys(schemas);
  const { url } = await serveDocument({
    document: {
      openapi,
      paths: Object.fromEntries(
        names.map((name) => [
          `/${name}`,
          operationOf(name, schemas[name] ?? {}, encodings[name] ?? {}),
        ]),
      ),
      components: { schemas: components },
    },
    handlers: Object.fromEntries(
      names.map((name) => [
        name,
        ({ body }) => {
          received = body;
          return { status: 200, body };
        },
      ]),
    ),
  });
  return async (name, body, contentType = 'application/json', accept = contentType) => {
    received = refused;
    const headers = { 'Content-Type': contentType, Accept: accept };
    const response = await ask(url, `/${name}`, { method: 'POST', headers, body });
    return { ...response, received };
  };
};
