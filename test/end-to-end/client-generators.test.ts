/** The documents that are served suit generators of typed clients; `npm run interoperability` writes such clients. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  const { document, usable } = parse(
    readFileSync(join(__dirname, 'client-generators.yaml'), 'utf8'),
  );

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
