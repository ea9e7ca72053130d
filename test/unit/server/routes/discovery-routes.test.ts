/** What leads programs to services whose documents hold anything, and that have more than documentation. */

import { expect, test } from '@jest/globals';
import express from 'express';
import supertest from 'supertest';
import { parseApiDocument } from '../../../../src/engine';
import {
  type DiscoveryParts,
  discoveryRoutes,
} from '../../../../src/server/routes/discovery-routes';

const documentOf = (info: object, url: string) =>
  parseApiDocument(
    'a.json',
    JSON.stringify({ openapi: '3.1.0', info, servers: [{ url }], paths: { '/a': { get: {} } } }),
  );

const read = async (path: string, parts: Partial<DiscoveryParts>) => {
  const origin = 'https://api.test';
  const routes = discoveryRoutes({ documents: [], origin, operatorPath: '', ...parts });
  const { status, text } = await supertest(express().use(routes)).get(path).buffer(true);
  expect(status).toBe(200);
  return text;
};

const hostile = documentOf(
  { title: 'A\n# [B](c)', version: '*1*', description: 'D\n## E\n- [F](g)' },
  '/',
);

test('texts of documents are texts; a service at the root has its addresses', async () => {
  expect(await read('/llms.txt', { documents: [hostile] })).toBe(`# Services

> APIs served from their OpenAPI documents.

## A \\# \\[B\\](c)

Version \\*1\\*, 1 operation at https://api.test/

> D
> ## E
> - [F](g)

- [Documentation as Markdown](https://api.test/docs.md)
- [Documentation](https://api.test/docs/)
- [OpenAPI document](https://api.test/openapi.json)
- [OpenAPI document as YAML](https://api.test/openapi.yaml)
`);
});

test('without services there is a page, and a catalog of nothing', async () => {
  expect(await read('/llms.txt', {})).toBe(
    '# Services\n\n> APIs served from their OpenAPI documents.\n',
  );
  expect(JSON.parse(await read('/.well-known/api-catalog', {}))).toEqual({
    linkset: [{ anchor: 'https://api.test/.well-known/api-catalog', item: [] }],
  });
});

test('what a service has beside its documentation is linked to, by its own relation or by one of them', async () => {
  const parts = {
    documents: [documentOf({ title: 'A', version: '1' }, '/v1')],
    operatorPath: '/ops',
    furtherLinks: [
      { relation: 'item', path: '/agents', title: 'Tools for agents' },
      { relation: 'service-doc', path: '/more', mediaType: 'text/plain', title: 'More' },
    ],
  };
  expect(await read('/llms.txt', parts)).toContain(
    '- [Tools for agents](https://api.test/v1/agents)',
  );
  const { linkset } = JSON.parse(await read('/.well-known/api-catalog', parts));
  expect(linkset[1]).toMatchObject({
    anchor: 'https://api.test/v1',
    item: [{ href: 'https://api.test/v1/agents', title: 'Tools for agents' }],
    status: [{ href: 'https://api.test/ops/readyz', type: 'text/plain' }],
  });
  expect(linkset[1]['service-doc'].map(({ href }: { href: string }) => href)).toEqual([
    'https://api.test/v1/docs.md',
    'https://api.test/v1/docs/',
    'https://api.test/v1/more',
  ]);
});
