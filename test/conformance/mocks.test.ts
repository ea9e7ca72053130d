/** Operations without a handler answer mocks made from the document where that is wanted, and 501 where it is not. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { SecurityHandlers } from '../../src/engine/security/credentials';
import { type ServedOrigin, serveDocument } from '../support/serve-document';
import { valuesOf } from '../support/text-cases';
import { ask, callerOf, errorOf, faultsOf } from './ask';

const cases = join(__dirname, 'mocks.cases.txt');

/** Integers are read as bigints, so that the large one is exact. */
const parts = parse(readFileSync(join(__dirname, 'mocks.yaml'), 'utf8'), { intAsBigInt: true });

const securityHandlers: SecurityHandlers = {
  apiKey: async (key) => (key === 'good' ? callerOf('key') : undefined),
};

const pathItem = ([operationId, operation]: [string, object]) => [
  `/${operationId}`,
  { [operationId === 'secured' ? 'put' : 'get']: { operationId, ...operation } },
];
const answering = ([operationId, content]: [string, object]): [string, object] => [
  operationId,
  { responses: { 200: { description: 'Fine', content } } },
];

const serve = (mocks: boolean, openapi: '3.0.3' | '3.2.0' = '3.0.3'): Promise<ServedOrigin> => {
  const { contents, operations, mediaTypes } = parts[openapi];
  const all = [
    ...Object.entries<object>(contents).map(answering),
    ...Object.entries<object>(operations),
  ];
  const paths = Object.fromEntries(all.map(pathItem));
  const components = { ...parts.components, mediaTypes };
  return serveDocument({ mocks, securityHandlers, document: { openapi, paths, components } });
};

describe('where mocks are wanted', () => {
  let url = '';
  beforeAll(async () => {
    url = (await serve(true)).url;
  });

  test.each(
    valuesOf<[title: string, name: string, body: string, status?: number]>(
      cases,
      'where mocks are wanted',
    ),
  )('%s', async (_title, name, body, status = 200) => {
    const response = await ask(url, `/${name}`);
    const mark = response.headers['x-mock'];
    expect([response.status, response.text, mark]).toEqual([status, body, 'true']);
  });

  test('the same value in XML', async () => {
    const { text: body } = await ask(url, '/made', { headers: { Accept: 'application/xml' } });
    const value = '<thing id="9223372036854775807"><kind>large</kind><parts/></thing>';
    expect(body).toBe(`<?xml version="1.0" encoding="UTF-8"?>\n${value}`);
  });

  test('browsers run no script of a mock', async () => {
    const policies = ['loginPage', 'picturedText', 'xmlAlone', 'made'].map(async (name) => {
      const { headers } = await ask(url, `/${name}`);
      return headers['content-security-policy'];
    });
    expect(await Promise.all(policies)).toEqual(['sandbox', 'sandbox', 'sandbox', undefined]);
  });

  test.each([
    ['example=odd', '{"id":3,"kind":"large"}'],
    ['example="tom"', '{"id":1,"kind":"small"}'],
    ['example=wrong', '{"id":1,"kind":"small"}'],
  ])('Prefer: %s', async (prefer, body) => {
    const response = await ask(url, '/examples', { headers: { Prefer: prefer } });
    expect([response.status, response.text]).toEqual([200, body]);
  });

  test('R08 headers that are required, and those that have an example', async () => {
    const { headers } = await ask(url, '/headers');
    expect(headers).toMatchObject({
      'x-rate': '3',
      'x-until': '2024-01-01T12:00:00Z',
      'x-tags': 'string,string1',
      'x-given': 'here',
      'content-length': '8',
      'x-mock': 'true',
    });
    expect(headers).not.toHaveProperty('x-other');
  });

  test('a redirect says where to', async () => {
    const { status, headers } = await ask(url, '/redirect');
    expect([status, headers['location'], headers['x-mock']]).toEqual([302, '/things', 'true']);
    expect((await ask(url, '/moved')).headers).toMatchObject({ location: expect.any(String) });
  });

  test.each([
    ['requiredUuid', /no mock: its schema has no token that says that it is a mock's$/],
    ['impossible', /no handler and no mock: no integer was found at the top/],
  ])('%s is not implemented, and says why', async (name, message) => {
    const response = await ask(url, `/${name}`);
    expect(errorOf(response)).toEqual({
      code: 501,
      type: 'not-implemented',
      message: expect.stringMatching(message),
    });
    expect(response.headers).not.toHaveProperty('x-mock');
  });

  const json = { 'Content-Type': 'application/json' };
  const key = { 'X-Key': 'good' };
  test.each(
    valuesOf<
      [
        title: string,
        query: string,
        headers: Readonly<Record<string, string>>,
        body: string,
        status: number,
        faults: readonly string[],
      ]
    >(cases, 'a mock is not reached'),
  )('a mock is not reached %s', async (_title, query, headers, body, status, faults) => {
    const response = await ask(url, `/secured${query}`, { method: 'PUT', headers, body });
    expect([response.status, faultsOf(response)]).toEqual([status, faults]);
    expect(response.headers).not.toHaveProperty('x-mock');
  });

  test('a mock is reached by a good request', async () => {
    const headers = { ...json, ...key };
    const asked = { method: 'PUT', headers, body: '{"id":1,"secret":"s"}' };
    const response = await ask(url, '/secured?n=1', asked);
    expect([response.status, response.text, response.headers['x-mock']]).toEqual([
      200,
      '"string"',
      'true',
    ]);
  });

  test('R09 HEAD has the headers alone', async () => {
    const response = await ask(url, '/made', { method: 'HEAD' });
    expect([response.status, response.text, response.headers['x-mock']]).toEqual([200, '', 'true']);
  });
});

describe('where mocks are not wanted', () => {
  let url = '';
  beforeAll(async () => {
    url = (await serve(false)).url;
  });

  test.each(['made', 'example', 'empty'])('%s is not implemented', async (name) => {
    const response = await ask(url, `/${name}`);
    const message = `${name} is not implemented`;
    expect(errorOf(response)).toEqual({ code: 501, type: 'not-implemented', message });
    expect(response.headers).not.toHaveProperty('x-mock');
  });
});

describe('W42 examples of OpenAPI 3.2', () => {
  let url = '';
  beforeAll(async () => {
    url = (await serve(true, '3.2.0')).url;
  });

  test.each(
    valuesOf<[title: string, name: string, body: string]>(cases, 'W42 examples of OpenAPI 3.2'),
  )('%s', async (_title, name, body) => {
    const response = await ask(url, `/${name}`);
    expect([response.status, response.text]).toEqual([200, body]);
  });

  test('a header is made of an example with a value', async () => {
    expect((await ask(url, '/header')).headers['x-a']).toBe('b');
  });
});
