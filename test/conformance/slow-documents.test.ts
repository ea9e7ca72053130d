/** Documents and inputs that are made to be slow: each request ends after a bounded number of steps, and says by which bound. */

import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type ServedOrigin, serveDocument } from '../support/serve-document';
import { fullText, tableOf } from '../support/text-cases';
import { ask } from './ask';

const cases = join(__dirname, 'slow-documents.cases.txt');

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = (pattern: string) => ({ type: 'string', pattern });
const holding = (name: string, schema: object) => ({
  type: 'object',
  properties: { [name]: schema },
});

/** Values of these may hold values of these, and nothing tells the alternatives apart. */
const twofold = { oneOf: [ref('T'), ref('U')] };
const eight = [...'ABCDEFGH'];
const eightfold = { oneOf: eight.map(ref) };

const schemas = {
  T: holding('r', twofold),
  U: holding('r', twofold),
  ...Object.fromEntries(eight.map((name) => [name, holding('n', eightfold)])),
  Map: { type: 'object', additionalProperties: { anyOf: [ref('Map'), { allOf: [ref('Map')] }] } },
  Distinct: { type: 'array', uniqueItems: true, items: {} },
  DistinctLists: { type: 'array', uniqueItems: true, items: { oneOf: [ref('DistinctLists'), {}] } },
  NotOne: { type: 'object', not: { enum: [{ a: 1 }] }, additionalProperties: ref('NotOne') },
};

const bodies = {
  tree: ref('T'),
  trees: { type: 'array', items: eightfold },
  map: ref('Map'),
  distinct: ref('DistinctLists'),
  notOne: ref('NotOne'),
  exponential: { type: 'array', items: text('^(a+)+$') },
  either: {
    type: 'array',
    items: { anyOf: [text('^(a+)+$'), text('^(a|a)*$'), { type: 'string' }] },
  },
  behind: text('(?<=b(a|a)*)x'),
  again: text('^(a+)+\\1b$'),
  mail: text('^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$'),
};

const mediaTypes = [
  'application/json',
  'application/xml',
  'application/yaml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
];

const parameters = [
  { name: 'cubic', in: 'query', schema: text('^\\d*\\d*\\d*x$') },
  { name: 'long', in: 'query', schema: text('^(\\d?){900}x$') },
  { name: 'blanks', in: 'query', schema: text('^\\s*(.*?)\\s*,\\s*(.*?)\\s*;$') },
  { name: 'ahead', in: 'query', schema: text('^((?=.*x)a)*$') },
  {
    name: 'words',
    in: 'query',
    explode: false,
    schema: { type: 'array', items: text('^(\\w+ ?)*$') },
  },
  { name: 'tree', in: 'query', content: { 'application/json': { schema: ref('T') } } },
  { name: 'X-Words', in: 'header', schema: text('^(\\w+ ?)*$') },
  { name: 'words', in: 'cookie', schema: text('^(\\w+ ?)*$') },
];
const ok = { responses: { '200': { description: 'Fine' } } };
const named = (names: string) =>
  [...names].map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));

const document = {
  paths: {
    '/parameters': { get: { operationId: 'get', parameters, ...ok } },
    '/{a}-{b}-{c}.json': { get: { operationId: 'three', parameters: named('abc'), ...ok } },
    '/x/{a}{b}{c}{d}!': { get: { operationId: 'four', parameters: named('abcd'), ...ok } },
    ...Object.fromEntries(
      Object.entries(bodies).map(([name, schema]) => {
        const content = Object.fromEntries(mediaTypes.map((type) => [type, { schema }]));
        return [`/${name}`, { post: { operationId: name, requestBody: { content }, ...ok } }];
      }),
    ),
  },
  components: { schemas },
};

let service: ServedOrigin;
beforeAll(async () => {
  const operations = ['get', 'three', 'four', ...Object.keys(bodies)];
  const handlers = Object.fromEntries(operations.map((name) => [name, () => ({ status: 200 })]));
  service = await serveDocument({ document, handlers });
});

/** Returns the message of the first error; `fine` where there is none. */
const replyTo = async (...asked: Parameters<typeof ask>): Promise<string> => {
  const { status, text: body } = await ask(...asked);
  const message = body === '' ? 'fine' : JSON.parse(body).errors?.[0]?.message;
  return status === (body === '' ? 200 : 400) ? message : `${status} ${message}`;
};

const post = (name: string, body: string, type = 'application/json'): Promise<string> =>
  replyTo(service.url, `/${name}`, { method: 'POST', headers: { 'Content-Type': type }, body });

const nested = (levels: number, start: string, inner: string, end: string): string =>
  start.repeat(levels) + inner + end.repeat(levels);
const tree = (levels: number, name = 'r'): string => nested(levels, `{"${name}":`, '{}', '}');

describe('D09 a parameter', () => {
  test.each(tableOf(cases, 'parameters'))(
    '%s',
    async (_title, query = '', want = '', header = '') => {
      const [name = '', value = ''] = fullText(header).split(': ');
      const headers: Record<string, string> = header === '' ? {} : { [name]: value };
      const target = `/parameters${fullText(query)}`;
      expect(await replyTo(service.url, target, { headers })).toBe(want);
    },
  );
});

describe('D09 a body', () => {
  test.each(tableOf(cases, 'bodies'))('%s', async (_title, name = '', body = '', want = '') => {
    expect(await post(name, fullText(body, { tree: tree(90, 'n') }))).toBe(want);
  });

  const part = `--x\r\nContent-Disposition: form-data; name="r"\r\nContent-Type: application/json`;
  test.each([
    ['application/xml', nested(90, '<r>', '', '</r>').replace(/^<r>(.*)<.r>$/, '<T>$1</T>')],
    ['application/yaml', nested(90, '{r: ', '{}', '}')],
    ['application/x-www-form-urlencoded', `r${'[r]'.repeat(60)}=1`],
    ['multipart/form-data; boundary=x', `${part}\r\n\r\n${tree(80)}\r\n--x--`],
  ])('alternatives that are the same, in %s', async (type, body) => {
    expect(await post('tree', body, type)).toBe('must fit exactly one of 2 alternatives');
  });
});

describe('D11 several names in a segment of a path', () => {
  test.each<[string, string, number]>([
    ['no end', `/${'-'.repeat(15_000)}`, 404],
    ['the same character to the end', `/${'-'.repeat(15_000)}.json`, 200],
    ['no text between', `/x/${'y'.repeat(15_000)}`, 404],
    ['no text between, and an end', `/x/${'y'.repeat(15_000)}!`, 200],
  ])('%s', async (_title, path, status) => {
    expect((await ask(service.url, path)).status).toBe(status);
  });
});
