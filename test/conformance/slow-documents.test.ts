/** Documents and inputs that are made to be slow: each request ends after a bounded number of steps, and says by which bound. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { type ServedOrigin, serveDocument } from '../support/serve-document';
import { ask } from './ask';

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

interface Reply {
  readonly status: number;
  /** Of the first error. */
  readonly message: string | undefined;
}

const replyTo = async (...asked: Parameters<typeof ask>): Promise<Reply> => {
  const { status, text: body } = await ask(...asked);
  const message = body === '' ? undefined : JSON.parse(body).errors?.[0]?.message;
  return { status, message };
};

const post = (name: string, body: string, type = 'application/json'): Promise<Reply> =>
  replyTo(service.url, `/${name}`, { method: 'POST', headers: { 'Content-Type': type }, body });

const refused = (message: string): Reply => ({ status: 400, message });
const fine: Reply = { status: 200, message: undefined };

const nested = (levels: number, start: string, inner: string, end: string): string =>
  start.repeat(levels) + inner + end.repeat(levels);
const tree = (levels: number, name = 'r'): string => nested(levels, `{"${name}":`, '{}', '}');
const steps = (count: number): string =>
  `must take at most ${count} steps to check: make it smaller, nest it less deeply, or let it fit fewer alternatives`;
const decided = (pattern: string, count: number): string =>
  `must be decided by the pattern ${pattern} within the ${count} steps that the message may take: shorten it`;
const matching = (pattern: string): string => `must match the pattern ${pattern}`;

describe('D09 a parameter', () => {
  test.each<[string, string, Record<string, string>, Reply]>([
    ['polynomial', `cubic=${'1'.repeat(2_000)}`, {}, refused(matching('^\\d*\\d*\\d*x$'))],
    ['polynomial, and fits', `cubic=${'1'.repeat(2_000)}x`, {}, fine],
    [
      'polynomial, blanks',
      `blanks=${'+'.repeat(2_000)}`,
      {},
      refused(matching('^\\s*(.*?)\\s*,\\s*(.*?)\\s*;$')),
    ],
    [
      'a look ahead at each place',
      `ahead=${'a'.repeat(1_000)}`,
      {},
      refused(matching('^((?=.*x)a)*$')),
    ],
    [
      'exponential, many of them',
      `words=${Array(200)
        .fill(`${'a'.repeat(40)}!`)
        .join(',')}`,
      {},
      refused(matching('^(\\w+ ?)*$')),
    ],
    [
      'more steps than there are',
      `long=${'1'.repeat(10_000)}`,
      {},
      refused(decided('^(\\d?){900}x$', 200_000)),
    ],
    ['a tree', `tree=${tree(80)}`, {}, refused('must fit exactly one of 2 alternatives')],
    ['in a header', '', { 'X-Words': `${'a'.repeat(60)}!` }, refused(matching('^(\\w+ ?)*$'))],
    ['in a cookie', '', { Cookie: `words=${'a'.repeat(60)}!` }, refused(matching('^(\\w+ ?)*$'))],
  ])('%s', async (_title, query, headers, want) => {
    expect(await replyTo(service.url, `/parameters?${query}`, { headers })).toEqual(want);
  });
});

describe('D09 a body', () => {
  const many = (count: number, item: string): string => JSON.stringify(Array(count).fill(item));
  const oneOf = (count: number): Reply => refused(`must fit exactly one of ${count} alternatives`);
  test.each<[string, keyof typeof bodies, string, Reply]>([
    ['exponential', 'exponential', many(100, `${'a'.repeat(30)}b`), refused(matching('^(a+)+$'))],
    ['exponential, and fits', 'exponential', many(100, 'a'.repeat(30)), fine],
    ['exponential alternatives', 'either', many(50, `${'a'.repeat(30)}b`), fine],
    [
      'a look behind at each place',
      'behind',
      JSON.stringify('a'.repeat(5_000)),
      refused(decided('(?<=b(a|a)*)x', 300_040)),
    ],
    [
      'a back reference',
      'again',
      JSON.stringify('a'.repeat(60)),
      refused(decided('^(a+)+\\1b$', 201_240)),
    ],
    [
      'an address',
      'mail',
      JSON.stringify('a'.repeat(1_000)),
      refused(matching('^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$')),
    ],
    ['alternatives that are the same', 'tree', tree(30), oneOf(2)],
    ['deeper', 'tree', tree(90), oneOf(2)],
    ['a map of maps', 'map', tree(90), fine],
    ['eight alternatives', 'trees', `[${tree(90, 'n')}]`, oneOf(8)],
    ['many of them', 'trees', `[${Array(20).fill(tree(90, 'n')).join()}]`, oneOf(8)],
    [
      'lists that are compared as wholes',
      'distinct',
      nested(90, '[', JSON.stringify(Array.from({ length: 3_000 }, (_, index) => index)), ']'),
      refused(steps(481_420)),
    ],
    [
      'objects that are compared as wholes',
      'notOne',
      nested(90, '{"n":', `{${Array.from({ length: 900 }, (_, i) => `"${i}":{}`).join()}}`, '}'),
      refused(steps(370_620)),
    ],
  ])('%s', async (_title, name, body, want) => {
    expect(await post(name, body)).toEqual(want);
  });

  const part = `--x\r\nContent-Disposition: form-data; name="r"\r\nContent-Type: application/json`;
  test.each([
    ['application/xml', nested(90, '<r>', '', '</r>').replace(/^<r>(.*)<.r>$/, '<T>$1</T>')],
    ['application/yaml', nested(90, '{r: ', '{}', '}')],
    ['application/x-www-form-urlencoded', `r${'[r]'.repeat(60)}=1`],
    ['multipart/form-data; boundary=x', `${part}\r\n\r\n${tree(80)}\r\n--x--`],
  ])('alternatives that are the same, in %s', async (type, body) => {
    expect(await post('tree', body, type)).toEqual(oneOf(2));
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
