import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { routeTable } from '../../../../src/engine/paths/operation-router';
import type { Method, Operation } from '../../../../src/model/operation';

const operation = (method: Method, path: string): Operation => ({
  pointer: '',
  hasId: true,
  operationId: `${method} ${path}`,
  method,
  path,
  tags: [],
  summary: '',
  description: '',
  deprecated: false,
  deprecatedSince: undefined,
  sunset: undefined,
  docsUrl: undefined,
  parameters: [],
  requestBody: undefined,
  responses: [],
  callbacks: [],
  servers: [],
  security: [],
  loggedInUser: undefined,
  brokenFields: [],
  resource: undefined,
  mcp: undefined,
  invalidReason: undefined,
});

const find = routeTable(
  [
    '/',
    '/things',
    '/things/recent',
    '/things/{id}',
    '/things/{id}/parts/{part}',
    '/things/{id}:copy',
    '/files/{name}.{ending}',
    '/other/{x}/end',
    '/{any}/last',
    '/with space',
  ].map((path) => operation('get', path)),
);

const reached = (path: string): [string, Record<string, string>] | undefined => {
  const route = find(path);
  const found = route?.operations.get('GET');
  return route && found && [found.path, { ...route.path }];
};

describe('D11 concrete paths beat templated ones', () => {
  test.each<[string, [string, Record<string, string>] | undefined]>([
    ['/', ['/', {}]],
    ['/things', ['/things', {}]],
    ['/things/', undefined],
    ['/things/recent', ['/things/recent', {}]],
    ['/things/rec%65nt', ['/things/recent', {}]],
    ['/things/7', ['/things/{id}', { id: '7' }]],
    ['/things/a%2Fb', ['/things/{id}', { id: 'a%2Fb' }]],
    ['/things/%', ['/things/{id}', { id: '%' }]],
    ['/things/7/parts/x', ['/things/{id}/parts/{part}', { id: '7', part: 'x' }]],
    ['/things/7:copy', ['/things/{id}:copy', { id: '7' }]],
    ['/files/a.b.c', ['/files/{name}.{ending}', { name: 'a.b', ending: 'c' }]],
    ['/things/last', ['/things/{id}', { id: 'last' }]],
    ['/thing/last', ['/{any}/last', { any: 'thing' }]],
    ['/other/last', ['/{any}/last', { any: 'other' }]],
    ['/with%20space', ['/with space', {}]],
    ['/things/7%3Acopy', ['/things/{id}', { id: '7%3Acopy' }]],
    ['/files/a%2Eb%', ['/files/{name}.{ending}', { name: 'a', ending: 'b%' }]],
    ['/files/%FF%2e%e2%98%83', ['/files/{name}.{ending}', { name: '%FF', ending: '☃' }]],
    ['//things', undefined],
    ['/things//parts/x', undefined],
    ['/things/__proto__', ['/things/{id}', { id: '__proto__' }]],
    ['', undefined],
    [`/${'a/'.repeat(100_000)}`, undefined],
  ])('%.40s', (path, want) => {
    expect(reached(path)).toEqual(want);
  });
});

describe('D11 names in one segment', () => {
  const templates = ['/{a}-{b}-{c}.json', '/x{a}{b}y', '/{a}--{b}', '/{a}.{b}.', '/aa{a}aa'];
  const table = routeTable(templates.map((path) => operation('get', path)));
  const expressionOf = (template: string): RegExp => {
    const source = template.replaceAll('.', '\\.').replaceAll(/\{\w\}/g, '(.+)');
    return new RegExp(`^${source}$`);
  };

  test('stand for what an expression would find, wherever they may stand', () => {
    const segments = fc
      .array(fc.constantFrom('-', 'a', '.', 'x', 'y', '.json', 'aa'), { minLength: 1 })
      .map((parts) => `/${parts.join('')}`);
    fc.assert(
      fc.property(segments, (path) => {
        const route = table(path);
        const template = route?.operations.get('GET')?.path;
        const fitting = templates.filter((one) => expressionOf(one).test(path));
        expect(template === undefined).toBe(fitting.length === 0);
        if (template === undefined) return;
        expect(fitting).toContain(template);
        const [, ...texts] = expressionOf(template).exec(path) ?? [];
        expect(Object.values(route?.path ?? {})).toEqual(texts);
      }),
      { seed: 20_261_123, numRuns: 500 },
    );
  });
});

test('D11 all spellings of one path reach the same operation', () => {
  const texts = ['a', '~', 'é', '☃', '%C3%A9', '%7e', ' ', '"', '%3a', ':', '%', '%25', '[', '%FF'];
  const templates = fc.array(fc.constantFrom(...texts, '{x}', '/'), { minLength: 1 });
  const spellings = (path: string): string[] => {
    const encoded = encodeURI(path).replaceAll(/%25(?=[\dA-F]{2})/gi, '%');
    const everyLetter = encoded.replaceAll(/a|~/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
    const lowerCase = everyLetter.replaceAll(/%../g, (triple) => triple.toLowerCase());
    return [encoded, everyLetter, lowerCase];
  };
  fc.assert(
    fc.property(fc.array(templates, { minLength: 1 }), templates, (made, asked) => {
      const table = routeTable(made.map((one) => operation('get', `/${one.join('')}`)));
      const path = `/${asked.join('').replaceAll('{x}', 'a')}`;
      const found = spellings(path).map((one) => table(one)?.operations);
      expect(new Set(found).size).toBe(1);
    }),
    { seed: 20_261_127, numRuns: 500 },
  );
});

test('D14 the route of a path names all of its methods', () => {
  const table = routeTable([operation('get', '/a/{x}'), operation('put', '/a/{x}')]);
  expect([...(table('/a/1')?.operations.keys() ?? [])]).toEqual(['GET', 'PUT']);
});
