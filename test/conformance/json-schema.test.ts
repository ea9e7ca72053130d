/**
 * The JSON Schema Test Suite for draft 2020-12 (json-schema/, with its licence): each group is a document of OpenAPI 3.1 with one
 * operation, whose body has the schema, and each case is a request. They pass through all of the engine but a connection.
 */

import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { serviceOf } from '../support/serve-document';
import { casesOf } from '../support/text-cases';

const folder = join(__dirname, 'json-schema');

/** Gives a schema a URI, where it has none: references without a base would lead into the document around it. */
const identified = (schema: string, uri: string): string =>
  Object.hasOwn(Object(JSON.parse(schema)), '$id')
    ? schema
    : schema.replace(/^\{(?=(\})?)/, (_brace, isEmpty) => `{"$id":"${uri}"${isEmpty ? '' : ','}`);

/** Schemas of other documents, by the URIs that lead to them; a bundle holds them among its components. */
const remotes = casesOf(join(folder, 'remotes.txt')).map(([uri, [schema = '']]) =>
  identified(schema, uri),
);

/** Writes a document; schemas stay as they are spelled, since their numbers may be of any size. */
const documentOf = (schema: string): string => {
  const needed = schema.includes('//localhost:1234/') ? remotes : [];
  const components = needed.map((remote, index) => `"Remote${index}":${remote}`);
  const content = `{"application/json":{"schema":${identified(schema, 'https://schema.test/')}}}`;
  return `{"openapi":"3.1.1","info":{"title":"Test","version":"1"},"paths":{"/check":{"post":{
    "operationId":"check","requestBody":{"required":true,"content":${content}},
    "responses":{"204":{"description":"It fits"},"422":{"description":"It does not fit"}}}}},
    "components":{"schemas":{${components.join()}}}}`;
};

/** Sends a body to a service without a connection; gives the status. */
const send = (serve: RequestListener, body: string): Promise<number> =>
  new Promise((resolve) => {
    const request = new IncomingMessage(new Socket());
    const headers = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    };
    Object.assign(request, { method: 'POST', url: '/check', headers });
    request.push(body);
    request.push(null);
    const response = new ServerResponse(request);
    response.end = () => {
      resolve(response.statusCode);
      return response;
    };
    serve(request, response);
  });

const deviations = casesOf(join(folder, 'deviations.txt')).map(([title]) => title);

test.each(casesOf(join(folder, 'draft2020-12.txt')))(
  '%s',
  async (_group, [schema = '', ...cases]) => {
    const { service, errors } = serviceOf({
      document: documentOf(schema),
      handlers: { check: () => ({ status: 204 }) },
    });
    const wrong: string[] = [];
    for (const line of cases) {
      const [title = '', body = ''] = line.split('\t');
      const status = await send(service, body);
      if (status !== (title.startsWith('+') ? 204 : 422)) wrong.push(`${title} (${status})`);
    }
    expect([wrong, errors]).toEqual([[], []]);
  },
);
