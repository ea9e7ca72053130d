/** The documents that are served suit generators of typed clients; `npm run interoperability` writes such clients. */

import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { ask } from '../conformance/ask';
import { serveDocument } from '../support/serve-document';
import { useServices } from '../support/services';

describe('clients that are generated from the documents', () => {
  const services = useServices();

  test('send several statuses as they write them', async () => {
    const { ask: askService, petToken: token } = services();
    const ids = async (query: string) =>
      JSON.parse((await askService(`GET /petstore/pet/findByStatus?${query}`, { token })).text)
        .length;
    const one = await ids('status=sold');
    expect(await ids('status=sold,pending')).toBe(one + (await ids('status=pending')));
  });
});

describe('what is served of a document that generators cannot use', () => {
  const missing = (section: string) => ({ $ref: `#/components/${section}/Gone` });
  const told = (section: string) => ({
    description: `The document refers to #/components/${section}/Gone, which does not exist.`,
    'x-broken-reference': `#/components/${section}/Gone`,
  });
  const list = { name: 'l', in: 'query', 'x-comma-separated': true };
  const get = (parameters: object[], requestBody: object, response: object) => ({
    get: { operationId: 'a', parameters, requestBody, responses: { 200: response } },
  });
  const document = {
    paths: {
      '/a': get(
        [missing('parameters'), { ...list, schema: { type: 'integer', default: 1 }, example: 2 }],
        missing('requestBodies'),
        missing('responses'),
      ),
    },
    components: {
      schemas: {
        A: { properties: { a: missing('schemas'), b: { $ref: '#/components/schemas/B' } } },
        B: {},
      },
      headers: { H: missing('headers') },
      examples: { E: missing('examples') },
    },
  };
  const usable = {
    paths: {
      '/a': get(
        [
          { name: 'Gone', in: 'query', schema: {}, ...told('parameters') },
          {
            ...list,
            ...{ style: 'form', explode: false, example: [2] },
            schema: { type: 'array', items: { type: 'integer' }, minItems: 1, default: [1] },
          },
        ],
        { content: {}, ...told('requestBodies') },
        told('responses'),
      ),
    },
    components: {
      schemas: {
        A: { properties: { a: told('schemas'), b: { $ref: '#/components/schemas/B' } } },
        B: {},
      },
      headers: { H: { schema: {}, ...told('headers') } },
      examples: { E: told('examples') },
    },
  };

  test.each([
    ['openapi.json', usable],
    ['openapi.yaml', usable],
    ['openapi.json?original', document],
    ['openapi.yaml?original', document],
  ])('%s', async (path, want) => {
    const { url } = await serveDocument({ document });
    expect(parse((await ask(url, `/${path}`)).text)).toMatchObject(want);
  });

  test('is the text itself where nothing stands in the way', async () => {
    const text = "# Ours\nopenapi: 3.0.3\ninfo: { title: A, version: '1' }\npaths: {}\n";
    const { url } = await serveDocument({ document: text });
    for (const query of ['', '?original', '?other']) {
      expect((await ask(url, `/openapi.yaml${query}`)).text).toBe(text);
    }
  });
});
