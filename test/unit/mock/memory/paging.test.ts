/** A caller who follows pages, in any of the ways in which documents offer them, sees each item once, and ends; what envelopes and headers say is true. */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type Answered, type Ask, askAt } from '../../../support/ask';
import { serveDocument } from '../../../support/serve-document';
import { readText, tableOf, writtenOut } from '../../../support/text-cases';

const cases = join(__dirname, 'paging.cases.txt');

type Json = Record<string, unknown>;

/** A document, and how its callers go on. */
interface Kind {
  /** Query parameters in YAML, in flow style. */
  readonly parameters: string;
  /** Members of the envelope beside `items`, in flow style; undefined where the body is the list itself. */
  readonly envelope?: string;
  readonly headers?: string;
  /** The query parameter that takes the size of a page. */
  readonly size: string;
  /** Gives the query, or the URL, of the page behind; undefined at the end. */
  next(said: Json, page: number, size: number): string | undefined;
  /** Tells what is true of a page beside its items: the number of it, from 0, and whether it is the last one. */
  told?(page: number, isLast: boolean, size: number, total: number): Json;
}

const integer = (name: string, more = ''): string =>
  `{ name: ${name}, in: query, schema: { type: integer${more} } }`;
const text = (name: string): string => `{ name: ${name}, in: query, schema: { type: string } }`;
const deep = (members: string): string =>
  `{ name: page, in: query, style: deepObject, explode: true, schema: { type: object, properties: { ${members} } } }`;
const pages = (total: number, size: number): number => Math.ceil(total / size);
const on = (body: Json, flag: string, query: string): string | undefined =>
  body[flag] === true ? query : undefined;
const at = (body: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((value, name) => Reflect.get(Object(value), name), body);
const urlIn = (body: unknown, ...names: readonly string[]): string | undefined => {
  const url = at(body, ...names);
  return typeof url === 'string' ? url : undefined;
};
const cursor = (name: string, value: unknown): string | undefined =>
  value === null || value === undefined || value === '' ? undefined : `${name}=${String(value)}`;

const kinds: Readonly<Record<string, Kind>> = {
  'pageNumber and pageSize': {
    parameters: `${integer('pageNumber')}, ${integer('pageSize')}`,
    envelope: 'totalCount: *integer, hasNext: *boolean, hasPrevious: *boolean',
    size: 'pageSize',
    next: (body, page) => on(body, 'hasNext', `pageNumber=${page + 2}`),
    told: (page, isLast, _, total) => ({
      totalCount: total,
      hasNext: !isLast,
      hasPrevious: page > 0,
    }),
  },
  'start and count': {
    parameters: `${integer('start')}, ${integer('count')}`,
    envelope: 'total: *integer, start: *integer, more: *boolean',
    size: 'count',
    next: (body, page, size) => on(body, 'more', `start=${(page + 1) * size}`),
    told: (page, isLast, size, total) => ({ total, start: page * size, more: !isLast }),
  },
  'page and size from 0, by default': {
    parameters: `${integer('page', ', default: 0')}, ${integer('size', ', default: 20')}`,
    envelope:
      'totalElements: *integer, totalPages: *integer, number: *integer, size: *integer, numberOfElements: *integer, first: *boolean, last: *boolean, empty: *boolean',
    size: 'size',
    next: (body, page) => (body['last'] === true ? undefined : `page=${page + 1}`),
    told: (page, isLast, size, total) => ({
      totalElements: total,
      totalPages: pages(total, size),
      number: page,
      size,
      numberOfElements: isLast ? total - page * size : size,
      first: page === 0,
      last: isLast,
      empty: total === 0,
    }),
  },
  'an object of page and size, as Spring has it': {
    parameters:
      '{ name: pageable, in: query, schema: { type: object, properties: { page: { type: integer, minimum: 0 }, size: { type: integer, minimum: 1 }, sort: { type: array, items: *string } } } }',
    envelope: 'last: *boolean, number: *integer',
    size: 'size',
    next: (body, page) => (body['last'] === true ? undefined : `page=${page + 1}`),
    told: (page, isLast) => ({ number: page, last: isLast }),
  },
  'page and per_page with a Link': {
    parameters: `${integer('page')}, ${integer('per_page')}`,
    headers: 'Link: { required: true, schema: *string }',
    size: 'per_page',
    next: (said) => /<([^>]*)>; rel="next"/.exec(String(said['link']))?.[1],
  },
  'page and limit with optional headers': {
    parameters: `${integer('page')}, ${integer('limit')}`,
    headers:
      'Link: { schema: *string }, X-Next-Page: { schema: *integer }, X-Total: { schema: *string }, X-Has-More: { schema: *boolean }',
    size: 'limit',
    next: (said) => cursor('page', said['x-next-page']),
    told: (_page, isLast, _size, total) => ({
      'x-total': `${total}`,
      'x-has-more': String(!isLast),
    }),
  },
  '$skip and $top': {
    parameters: `${integer('$skip')}, ${integer('$top')}, { name: $count, in: query, schema: *boolean }`,
    envelope: "'@odata.nextLink': *string, '@odata.count': *integer",
    size: '$top',
    next: (body) => urlIn(body, '@odata.nextLink'),
    told: (_page, _isLast, _size, total) => ({ '@odata.count': total }),
  },
  'skip and take': {
    parameters: `${integer('skip')}, ${integer('take')}`,
    envelope: 'count: *integer, total: *integer, isLastPage: *boolean',
    size: 'take',
    next: (body, page, size) =>
      body['isLastPage'] === true ? undefined : `skip=${(page + 1) * size}`,
    told: (page, isLast, size, total) => ({
      total,
      count: isLast ? total - page * size : size,
      isLastPage: isLast,
    }),
  },
  'offset and limit with URLs that are required or null': {
    parameters: `${integer('offset')}, ${integer('limit')}`,
    envelope:
      'count: *integer, next: { type: string, nullable: true, format: uri }, previous: { type: string, nullable: true, format: uri }',
    size: 'limit',
    next: (body) => urlIn(body, 'next'),
    told: (_page, _isLast, _size, total) => ({ count: total }),
  },
  'from and size in nested envelopes': {
    parameters: `${integer('from')}, ${integer('size')}`,
    envelope:
      'meta: { type: object, properties: { pagination: { type: object, required: [hasMore], properties: { from: *integer, total: *integer, hasMore: *boolean } } } }',
    size: 'size',
    next: (body, page, size) =>
      at(body, 'meta', 'pagination', 'hasMore') ? `from=${(page + 1) * size}` : undefined,
    told: (page, isLast, size, total) => ({
      meta: { pagination: { from: page * size, total, hasMore: !isLast } },
    }),
  },
  'cursor and limit': {
    parameters: `${text('cursor')}, ${integer('limit')}`,
    envelope: 'next_cursor: { type: string, nullable: true }, has_more: *boolean',
    size: 'limit',
    next: (body) => cursor('cursor', body['next_cursor']),
    told: (_page, isLast) => ({ has_more: !isLast }),
  },
  'after and first': {
    parameters: `${text('after')}, ${integer('first')}`,
    envelope:
      'pageInfo: { type: object, required: [endCursor, hasNextPage], properties: { endCursor: { type: string, nullable: true }, hasNextPage: *boolean, hasPreviousPage: *boolean } }',
    size: 'first',
    next: (body) => cursor('after', at(body, 'pageInfo', 'endCursor')),
  },
  'page_token and page_size': {
    parameters: `${text('page_token')}, ${integer('page_size')}`,
    envelope: 'next_page_token: *string, total_size: *integer',
    size: 'page_size',
    next: (body) => cursor('page_token', body['next_page_token']),
    told: (_page, _isLast, _size, total) => ({ total_size: total }),
  },
  'starting_after and limit': {
    parameters: `${text('starting_after')}, ${text('ending_before')}, ${integer('limit')}`,
    envelope: 'has_more: *boolean, last_id: *integer',
    size: 'limit',
    next: (body) => on(body, 'has_more', `starting_after=${String(body['last_id'])}`),
  },
  'a continuation token': {
    parameters: `${text('continuationToken')}, ${integer('maxResults')}`,
    envelope: 'continuationToken: *string, isTruncated: *boolean',
    size: 'maxResults',
    next: (body) => cursor('continuationToken', body['continuationToken']),
    told: (_page, isLast) => ({ isTruncated: !isLast }),
  },
  'page[number] and page[size]': {
    parameters: deep('number: *integer, size: *integer'),
    envelope:
      'links: { type: object, properties: { self: *string, first: *string, next: { type: string, nullable: true }, prev: { type: string, nullable: true }, last: *string } }, meta: { type: object, properties: { page: { type: object, properties: { number: *integer, totalPages: *integer } } } }',
    size: 'page[size]',
    next: (body) => urlIn(body, 'links', 'next'),
    told: (page, _isLast, size, total) => ({
      meta: { page: { number: page + 1, totalPages: pages(total, size) } },
    }),
  },
  'page[offset] and page[limit]': {
    parameters: deep('offset: *integer, limit: *integer'),
    envelope:
      '_links: { type: object, properties: { next: { type: object, required: [href], properties: { href: *string } } } }',
    size: 'page[limit]',
    next: (body) => urlIn(body, '_links', 'next', 'href'),
  },
  'page[after], by its name alone': {
    parameters: `${text("'page[after]'")}, ${integer("'page[size]'")}`,
    envelope:
      'paging: { type: object, properties: { next: { type: object, properties: { after: *string, link: *string } } } }',
    size: 'page[size]',
    next: (body) => cursor('page[after]', at(body, 'paging', 'next', 'after')),
  },
};

const documentOf = ({ parameters, envelope, headers = '' }: Kind): object => {
  const list = { type: 'array', items: { $ref: '#/components/schemas/Thing' } };
  const examples = Array.from({ length: 4 }, (_, index) => ({ id: index + 1, kind: 'k' }));
  const properties = { items: list, ...parse(writtenOut(`{ ${envelope ?? ''} }`)) };
  const schema = envelope === undefined ? list : { type: 'object', properties };
  const example = envelope === undefined ? examples : { items: examples };
  const json = (media: object) => ({ content: { 'application/json': media } });
  const Thing = {
    ...{ type: 'object', required: ['id'] },
    properties: { id: { type: 'integer' }, kind: { type: 'string' } },
  };
  const all = {
    description: 'All',
    headers: parse(writtenOut(`{ ${headers} }`)),
    ...json({ schema, example }),
  };
  const one = { description: 'One', ...json({ schema: list.items }) };
  return {
    paths: {
      '/things': {
        get: {
          parameters: parse(writtenOut(`[${text('kind')}, ${parameters}]`)),
          responses: { 200: all },
        },
      },
      '/things/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { responses: { 200: one } },
        delete: { responses: { 204: { description: 'Gone' } } },
      },
    },
    components: { schemas: { Thing } },
  };
};

/** Reads an answer: what the body and the headers say, and the items. */
const readAnswer = ({ text: json, headers }: Answered) => {
  const body: Json = JSON.parse(json);
  const items: unknown = Array.isArray(body) ? body : body['items'];
  return { said: { ...headers, ...body }, items: Array.isArray(items) ? items : [] };
};

/** Asks for one page after the other; checks what each says. */
const walk = async (ask: Ask, kind: Kind, size: number | undefined, total: number) => {
  const seen: unknown[] = [];
  const first = size === undefined ? '/things?kind=k' : `/things?kind=k&${kind.size}=${size}`;
  let target: string | undefined = first;
  for (let page = 0; target !== undefined && page <= total; page += 1) {
    const answer = await ask(`GET ${target}`);
    expect([answer.status, target]).toEqual([200, target]);
    const { said, items } = readAnswer(answer);
    seen.push(...items.map((item) => at(item, 'id')));
    const isLast = seen.length === total;
    const length = size ?? 20;
    expect(said).toMatchObject(kind.told?.(page, isLast, length, total) ?? {});
    const next = kind.next(said, page, length);
    expect([target, next === undefined]).toEqual([target, isLast]);
    // A link keeps the filter and the size itself.
    target = next?.startsWith('http')
      ? next.replace(/^http:..[^/]*/, '')
      : next && `${first}&${next}`;
  }
  expect(seen).toEqual(Array.from({ length: total }, (_, index) => index + 1));
};

test.each(Object.entries(kinds))(
  'a caller of %s sees each item once, and ends',
  async (_name, kind) => {
    const { url, errors } = await serveDocument({ document: documentOf(kind), mocks: true });
    const ask = askAt(url);
    for (const size of [undefined, 1, 2, 3, 4, 100]) await walk(ask, kind, size, 4);
    for (const id of [4, 3, 2, 1]) await ask(`DELETE /things/${id}`);
    await walk(ask, kind, 2, 0);
    expect(errors).toEqual([]);
  },
);

test.each(tableOf(cases, 'sampled lists'))(
  'a sampled list says what is true of it: %s',
  async (_title, schema = '', body, parameters = '', link = '', total = '1') => {
    const content = { 'application/json': { schema: parse(writtenOut(schema)) } };
    const headers = parse(
      '{ Link: { required: true, schema: { type: string } }, X-Total: { required: true, schema: { type: integer } }, X-Next-Page: { required: true, schema: { type: integer }, example: 7 } }',
    );
    const response = { description: 'All', content, headers };
    const paths = {
      '/search': {
        get: { parameters: parse(`[${readText(parameters)}]`), responses: { 200: response } },
      },
    };
    for (const memory of [{}, false] as const) {
      const { url, errors } = await serveDocument({ document: { paths }, mocks: true, memory });
      for (const headers of [{}, { Prefer: 'code=200' }]) {
        const answer = await askAt(url)('GET /search', { headers });
        expect(answer.text).toBe(body);
        expect([answer.headers['link'], answer.headers['x-total']]).toEqual([
          readText(link),
          total,
        ]);
        expect(answer.headers['x-next-page']).toBe('7');
      }
      expect(errors).toEqual([]);
    }
  },
);
