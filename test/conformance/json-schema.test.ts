/**
 * The JSON Schema Test Suite for draft 2020-12 (json-schema/, with its licence): each group is a document of OpenAPI 3.1, of which one
 * operation has a body of the schema, another one a list that begins with it, and each case is a request to both. They pass through all of the engine but a connection. What the
 * suite has on older drafts alone is left out, and so is the `$schema` of this one.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { serviceOf } from '../support/serve-document';
import { casesOf, fieldsOf } from '../support/text-cases';

const folder = join(__dirname, 'json-schema');

/** Gives a schema a URI: references without a base would lead into the document around it. */
const withUri = (schema: string, uri: string): string =>
  schema.replace(/^\{(?=(\}?))/, (_start, end) => `{"$id":"${uri}"${end ? '' : ','}`);

/** The URI that a schema gives itself. */
const uriIn = (schema: string): unknown => Object(JSON.parse(schema)).$id;

/** The schemas of JSON Schema itself. */
const metaSchemas = (): string[] => {
  const main = require.resolve('ajv/dist/refs/json-schema-2020-12/schema.json');
  const parts = join(dirname(main), 'meta');
  const files = [main, ...readdirSync(parts).map((file) => join(parts, file))];
  return files.map((file) => readFileSync(file, 'utf8'));
};

/** Schemas that stand elsewhere; a bundle holds them among its components. One may be found at another URI than its own. */
const elsewhere = [
  ...metaSchemas(),
  ...casesOf(join(folder, 'remotes.txt')).flatMap(([uri, [schema = '']]) => {
    const own = uriIn(schema);
    if (own === undefined) return [withUri(schema, uri)];
    return own === uri ? [schema] : [schema, `{"$id":"${uri}","$ref":"${own}"}`];
  }),
];

/** Writes a document; schemas stay as they are spelled, since their numbers may be of any size. */
const documentOf = (schema: string): string => {
  const needed = /\/\/(?:localhost:1234|json-schema\.org)\//.test(schema) ? elsewhere : [];
  const components = needed.map((other, index) => `"Other${index}":${other}`);
  const own = uriIn(schema) === undefined ? withUri(schema, 'https://schema.test/') : schema;
  const operation = (id: string, body: string) => `{"post":{"operationId":"${id}",
    "requestBody":{"required":true,"content":{"application/json":{"schema":${body}}}},
    "responses":{"204":{"description":"It fits"},"422":{"description":"It does not fit"}}}}`;
  const given = '{"$ref":"#/components/schemas/Given"}';
  const part = `{"prefixItems":[{"allOf":[${given}]}],"unevaluatedItems":false}`;
  return `{"openapi":"3.1.1","info":{"title":"Test","version":"1"},
    "paths":{"/whole":${operation('whole', given)},"/part":${operation('part', part)}},
    "components":{"schemas":{${[`"Given":${own}`, ...components].join()}}}}`;
};

/** Sends a body to a service without a connection; gives the status. */
const send = (serve: RequestListener, url: string, body: string): Promise<number> =>
  new Promise((resolve) => {
    const request = new IncomingMessage(new Socket());
    const length = String(Buffer.byteLength(body));
    const headers = { 'content-type': 'application/json', 'content-length': length };
    Object.assign(request, { method: 'POST', url, headers });
    request.push(body);
    request.push(null);
    const response = new ServerResponse(request);
    response.end = () => {
      resolve(response.statusCode);
      return response;
    };
    serve(request, response);
  });

/** The cases that are answered otherwise, for the reason that the file gives, as lines of the case's title and the status. */
const deviations = new Map(
  casesOf(join(folder, 'deviations.txt')).flatMap(([_reason, lines]) =>
    fieldsOf(lines).map(([status, title]) => [title, Number(status)] as const),
  ),
);

const deviating = new Set<string>();

test.each(casesOf(join(folder, 'draft2020-12.txt')))(
  '%s',
  async (group, [schema = '', ...cases]) => {
    const handler = () => ({ status: 204 });
    const { listener } = serviceOf({
      document: documentOf(schema),
      handlers: { whole: handler, part: handler },
    });
    const [found, wanted]: [string[], string[]] = [[], []];
    for (const line of cases) {
      const [sign = '', title = '', body = ''] = line.split(/(?<=^[+-]) |\t/);
      const name = `${group}: ${title}`;
      const fits = sign === '+' ? 204 : 422;
      const whole = await send(listener, '/whole', body);
      const part = await send(listener, '/part', `[${body}]`);
      const want = deviations.get(name) ?? fits;
      found.push(`${whole}, ${part}: ${title}`);
      wanted.push(`${want}, ${want}: ${title}`);
      if (deviations.get(name) !== fits) deviating.add(name);
    }
    expect(found).toEqual(wanted);
  },
);

test('every deviation is one of a case', () => {
  expect([...deviations.keys()].filter((name) => !deviating.has(name))).toEqual([]);
});
