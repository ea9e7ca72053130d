/** Parameters, beyond the published cases: the words of faults, x-comma-separated, those of OpenAPI 3.2 (W09 to W15). */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Answered } from '../support/ask';
import { serveDocument } from '../support/serve-document';
import { casesOf, readValue } from '../support/text-cases';
import { ask, callerOf, recording } from './ask';

/** A Parameter Object; without a name it is `p`, without a place in the query. */
type Declared = Readonly<Record<string, unknown>>;

type Headers = Readonly<Record<string, string>>;

/** The schemas of `*name` in a parameter. */
const schemas: Readonly<Record<string, string>> = {
  string: '{type: string}',
  integer: '{type: integer}',
  int64: '{type: integer, format: int64}',
  number: '{type: number}',
  boolean: '{type: boolean}',
  strings: '{type: array, items: {type: string}}',
  int64s: '{type: array, items: {type: integer, format: int64}}',
  color: '{type: object, properties: {R: {type: integer}, G: {type: integer, format: int64}}}',
};

/** A Media Type Object, which references lead to. */
const point = {
  schema: { type: 'object', properties: { n: { type: 'integer', format: 'int64' } } },
};

/**
 * Serves and asks once. Path parameters stand behind `/a`, one segment each, in their order.
 * @param declared one Parameter Object or several, in YAML
 * @param target what follows `/a`: the raw rest of the path, the query, or both
 */
const readParameters = async (
  declared: string,
  target: string,
  headers: Headers,
  openapi = '3.0.3',
) => {
  const written = declared.replaceAll(/\*(\w+)/g, (_, name: string) => schemas[name] ?? name);
  const parameters = [parse(written)].flat().map((parameter: Declared) => ({
    name: 'p',
    in: 'query',
    ...(parameter['in'] === 'path' ? { required: true } : {}),
    ...parameter,
  }));
  const segments = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => `/{${name}}`);
  const { handler, calls } = recording();
  const { url } = await serveDocument({
    document: {
      openapi,
      components: openapi.startsWith('3.2') ? { mediaTypes: { Point: point } } : {},
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
  if (call === undefined) return { response, values: undefined };
  const { path, query, header, cookie, querystring } = call;
  const whole = querystring === undefined ? {} : { querystring };
  return { response, values: { ...path, ...query, ...header, ...cookie, ...whole } };
};

/** The errors of the response; a message counts only where one is wanted. */
const errorsOf = (response: Answered, wanted: readonly string[]): string[] =>
  JSON.parse(response.text).errors.map(
    ({ in: location, path, message }: Record<'in' | 'path' | 'message', string>, index: number) => {
      const place = `${location} ${path}`;
      return wanted[index] === place ? place : `${place} ${message}`;
    },
  );

/** A title, parameters, what is sent, and what comes of it. */
type Row = [
  title: string,
  declared: string,
  target: string,
  want: string,
  headers: Headers,
  openapi?: string | undefined,
];

/**
 * The rows of a file: below a title, parameters, and `NAME | TARGET | VALUES | HEADERS` for each request to them, with - for no
 * target. The values are those that the handler must be called with, or after `refused:` the errors of a 400: their places, or places with messages.
 */
const rowsOf = (file: string, openapi?: string): Row[] =>
  casesOf(join(__dirname, 'parameters', file)).flatMap(([title, lines]) => {
    let declared = '';
    return lines.flatMap((line): Row[] => {
      const [name = '', sent, want = '', headers = '{}'] = line.split(' | ');
      const target = sent === '-' ? '' : sent;
      if (target !== undefined) {
        return [[`${title}: ${name}`, declared, target, want, parse(headers), openapi]];
      }
      declared = line;
      return [];
    });
  });

/** Sends a row and holds what came of it against what is wanted. */
const checkRow = async (...[, declared, target, want, headers, openapi]: Row): Promise<void> => {
  const { response, values } = await readParameters(declared, target, headers, openapi);
  if (want.startsWith('refused: ')) {
    const faults = want.slice('refused: '.length).split('; ');
    expect([response.status, values]).toEqual([400, undefined]);
    expect(errorsOf(response, faults)).toEqual(faults);
  } else {
    expect([response.status, values]).toEqual([200, readValue(want)]);
  }
};

test.each(rowsOf('ours.cases.txt'))('%s', checkRow);
test.each(rowsOf('openapi-3.2.cases.txt', '3.2.0'))('%s', checkRow);

const form = { 'application/x-www-form-urlencoded': { schema: { additionalProperties: true } } };

test('W09 an API key in the query is no part of a form', async () => {
  const { handler, calls } = recording();
  const { url } = await serveDocument({
    document: {
      openapi: '3.2.0',
      paths: {
        '/a': {
          parameters: [{ name: 'p', in: 'querystring', required: true, content: form }],
          get: {
            operationId: 'a',
            security: [{ key: [] }],
            responses: { 200: { description: 'Fine' } },
          },
        },
      },
      components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'a key' } } },
    },
    handlers: { a: handler },
    securityHandlers: { apiKey: async (key) => (key === 'k' ? callerOf('me') : undefined) },
  });
  expect((await ask(url, '/a?b=1&a%20key=k&c=2')).status).toBe(200);
  expect((await ask(url, '/a?a+key=k')).status).toBe(400);
  expect((await ask(url, '/a?b=1')).status).toBe(401);
  expect(calls.map(({ querystring }) => querystring)).toEqual([{ b: '1', c: '2' }]);
});

const inQuery = { name: 'q', in: 'query', schema: {} };
const whole = (name: string, fields: object = { content: form }) => ({
  name,
  in: 'querystring',
  ...fields,
});

test.each([
  ['beside a parameter in the query', [whole('p'), inQuery], [], /^3\.2/],
  ['beside one of the path item', [whole('p')], [inQuery], /^3\.2/],
  ['beside another', [whole('p'), whole('r')], [], /^3\.2/],
  ['without content', [whole('p', { schema: {} })], [], /^3\.2/],
  ['before 3.2', [whole('p')], [], /^3\.[01]/],
])('W14 a query string %s is out of service', async (_title, parameters, shared, versions) => {
  for (const openapi of ['3.0.3', '3.1.2', '3.2.0'].filter((one) => versions.test(one))) {
    const responses = { 200: { description: 'Fine' } };
    const { url } = await serveDocument({
      document: {
        openapi,
        paths: { '/a': { parameters: shared, get: { operationId: 'a', parameters, responses } } },
      },
      handlers: { a: recording().handler },
    });
    expect((await ask(url, '/a')).status).toBe(501);
  }
});

test('P24 too many pairs are refused', () =>
  checkRow(
    '',
    '{schema: {type: string}, required: true}',
    `?${'a&'.repeat(1001)}`,
    'refused: query  must not have more than 1000 parameters',
    {},
  ));

test('P22 no fault shows a key, whether a map lies beside it or a parameter has its name', async () => {
  const integer = { type: 'integer' };
  const parameters = [
    { name: 'f', in: 'query', schema: { type: 'object', additionalProperties: integer } },
    { name: 'x-key', in: 'header', schema: integer },
    { name: 'key', in: 'query', schema: integer },
  ];
  const responses = { 200: { description: 'Fine' } };
  const { url } = await serveDocument({
    document: {
      paths: {
        '/a': {
          get: { operationId: 'a', security: [{ h: [] }, { q: [] }], parameters, responses },
        },
      },
      components: {
        securitySchemes: {
          h: { type: 'apiKey', in: 'header', name: 'X-Key' },
          q: { type: 'apiKey', in: 'query', name: 'key' },
        },
      },
    },
    handlers: { a: recording().handler },
    securityHandlers: { apiKey: async () => callerOf('me') },
  });
  const { status, text: body } = await ask(url, '/a?key=sesame&x=y', {
    headers: { 'X-Key': 'sesame' },
  });
  expect(status).toBe(400);
  expect(body).not.toContain('sesame');
  const { errors } = JSON.parse(body);
  expect(errors.map(({ path }: { path: string }) => path)).toEqual(['f/x', 'x-key', 'key']);
});
