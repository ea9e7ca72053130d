import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkTypes, copyProject, engineParts, removeCopy } from '../support/check-types';
import { printDocument } from '../unit/tool/types/small-document';

const EVERYTHING = readFileSync(join(__dirname, 'compiled-types.yaml'), 'utf8');

const HANDLERS = `
import type { DefaultOperations, More, OddThingsOperations, Operations, Schemas } from './types';
import type { Handlers } from '../src/engine/operation/handler';

export const thingHandlers: Handlers<OddThingsOperations> = {
  async 'put-thing'({ path, query, header, body, principal, fail }) {
    if (path.id < 0n || header['X-Trace']?.length === 0) throw fail(404);
    if (body instanceof Uint8Array) return { status: 202, headers: { 'Set-Cookie': ['a=b', 'c=d'] } };
    if (body.either instanceof Array) return { status: 302, headers: { Location: '/things' } };
    if (principal.subject === '') throw fail(409, { body: { total: 1, note: 'taken' } });
    const given: bigint = body.id;
    return {
      status: 200,
      body: { ...body, next: undefined, id: given, maker: principal.subject, note: query.mode.join() },
      headers: { 'X-Total': given, 'X-Flags': [true], Via: '1.1 proxy' },
    };
  },
};

export const dropHandlers: Handlers<DefaultOperations> = {
  drop: () => ({ status: 200 }),
};

export const ids: readonly (keyof Operations)[] = ['put-thing', 'drop'];
export const idOf = (more: More): bigint => more.id;
export const storedOf = ({ maker, secret }: Schemas['Thing']): string => maker + secret;
`;

/** The compiler says that an error was expected in vain where one of these lines has none. */
const WRONG = `
import type { DefaultOperations, OddThingsOperations } from './types';
import type { Handlers } from '../src/engine/operation/handler';

type PutThing = Handlers<OddThingsOperations>['put-thing'];
declare const body: { maker: string };
const headers = { 'X-Total': 1n };

// @ts-expect-error An undeclared failure
export const failing: PutThing = ({ fail }) => { throw fail(405); };
// @ts-expect-error Another status
export const other: PutThing = () => ({ status: 303 });
// @ts-expect-error A redirect without its target
export const moved: PutThing = () => ({ status: 302 });
// @ts-expect-error A failure with another body
export const taken: PutThing = ({ fail }) => { throw fail(409, { body: {} }); };
// @ts-expect-error A change of what came in
export const changed: PutThing = ({ query }) => { query.mode.pop(); return good({} as never); };
// @ts-expect-error A missing required header
export const headless: PutThing = () => ({ status: 200, body, headers: {} });
// @ts-expect-error A missing property of the response
export const bare: PutThing = () => ({ status: 200, body: {}, headers });
export const good: PutThing = () => ({ status: 200, body, headers });
// @ts-expect-error A property that never comes in
export const makerOf: PutThing = (given) => ({ status: 200, body: given.body.maker, headers });
// @ts-expect-error A missing handler
export const none: Handlers<DefaultOperations> = {};
type InTenant = Handlers<DefaultOperations, { readonly tenant: string }>;
export const inTenant: InTenant['drop'] = ({ context }) => ({ status: 200, headers: { 'X-Tenant': context.tenant } });
// @ts-expect-error A context of which nothing is said
export const lost: Handlers<DefaultOperations>['drop'] = ({ context }) => ({ status: 200, headers: { 'X-Tenant': context.tenant } });
`;

const MODERN = readFileSync(join(__dirname, 'compiled-types-3.1.yaml'), 'utf8');

const MODERN_HANDLERS = `
import type { Operations, Sized, Tags, Webhooks } from './modern';
import type { Handlers } from '../src/engine/operation/handler';

export const handlers: Handlers<Operations> = {
  putShape({ path, body }) {
    if (body instanceof Uint8Array) return { status: 200, body: { kind: "square", at: [1, 2], side: body.length } };
    const id: bigint | string = path.id;
    const [x, y, none] = body.at;
    const past: null | undefined = none;
    const tag: string | null | undefined = body.tags?.['x-a'];
    if (id === 1n) return { status: 200, body: { kind: 'circle', at: [x, y], radius: 1 } };
    return { status: 200, body: { kind: 'square', at: [x, y, null], side: 2, tags: { a: tag ?? past ?? null } } };
  },
};
export const sent: Webhooks['drawn']['body'] = { kind: 'circle', at: [0, 0], radius: 1 };
export const tags: Tags = { 'x-a': null };
export const sized: Sized = { a: 1, b: 2 };
// @ts-expect-error One number is no point
export const half: Webhooks['drawn']['body'] = { kind: 'circle', at: [0], radius: 1 };
// @ts-expect-error Nor are four
export const more: Webhooks['drawn']['body'] = { kind: 'circle', at: [0, 0, null, 1], radius: 1 };
// @ts-expect-error A circle has a radius, and anything else a side
export const bare: Webhooks['drawn']['body'] = { kind: 'circle', at: [0, 0] };
// @ts-expect-error No shape has what never is there
export const never: Webhooks['drawn']['body'] = { kind: 'circle', at: [0, 0], radius: 1, never: 1 };
`;

const WHOLE = `
paths:
  /search:
    get:
      operationId: search
      parameters: [{ name: filter, in: querystring, content: { application/json: { schema: { type: object, required: [n], properties: { n: { type: integer, format: int64 } } } } } }]
      responses: { '200': { description: OK, content: { application/json: { schema: { type: integer, format: int64 } } } } }
    put: { operationId: replace, responses: { '204': { description: Done } } }
`;

const WHOLE_HANDLERS = `
import type { Operations } from './whole';
import type { Handlers } from '../src/engine/operation/handler';

export const handlers: Handlers<Operations> = {
  search: ({ querystring }) => ({ status: 200, body: querystring?.n ?? 0n }),
  replace({ querystring }) {
    const none: undefined = querystring;
    return { status: 204, body: none };
  },
};
// @ts-expect-error It may be missing
export const search: Handlers<Operations>['search'] = (given) => ({ status: 200, body: given.querystring.n });
`;

const EVERY_TYPE = `
paths:
  /items:
    post:
      operationId: stream
      requestBody: { content: { application/jsonl: { itemSchema: { type: string } } } }
      responses: { '200': { description: OK, content: { text/event-stream: { itemSchema: { type: object, properties: { data: { type: string } } } } } } }
    put:
      operationId: keep
      requestBody: { content: { application/json: { schema: { type: object, properties: { file: { type: string, format: binary }, pair: { type: array, prefixItems: [{ type: integer, format: int64 }], items: { type: 'null' } }, more: { type: array, items: { type: [string, number] } }, all: { type: array, items: { oneOf: [{ type: boolean }, { type: object }] } } } } } } }
      responses: { default: { description: OK } }
webhooks:
  told: { post: { requestBody: { content: { application/jsonl: { itemSchema: { type: object } } } }, responses: { '204': { description: Told } } } }
`;

describe('generated types', () => {
  let folder = '';

  beforeAll(() => {
    folder = copyProject(engineParts);
    mkdirSync(join(folder, 'handlers'));
    writeFileSync(join(folder, 'handlers/types.ts'), printDocument(EVERYTHING));
  });

  afterAll(() => removeCopy(folder));

  test('compile, and handlers against them; wrong handlers do not', () => {
    writeFileSync(join(folder, 'handlers/thing.ts'), HANDLERS);
    writeFileSync(join(folder, 'handlers/wrong.ts'), WRONG);
    expect(checkTypes(folder, ['handlers'])).toEqual([]);
  });

  test('of OpenAPI 3.1 compile, and handlers against them', () => {
    writeFileSync(join(folder, 'handlers/modern.ts'), printDocument(MODERN, '3.1.1'));
    writeFileSync(join(folder, 'handlers/shape.ts'), MODERN_HANDLERS);
    expect(checkTypes(folder, ['handlers'])).toEqual([]);
  });

  test('compile where components are called like all that stands in the file, and like types of the language', () => {
    const words = printDocument(EVERY_TYPE, '3.2.0').match(/[\p{ID_Start}_$][\p{ID_Continue}$]*/gu);
    const usual = ['Record', 'Partial', 'Promise', 'Map', 'Date', 'Error', 'Symbol', 'BigInt'];
    const names = [...new Set([...(words ?? []), ...usual])];
    const components = names.map((name) => `    ${name}: { type: boolean }`).join('\n');
    const text = printDocument(`${EVERY_TYPE}components:\n  schemas:\n${components}\n`, '3.2.0');
    expect(names).toEqual(expect.arrayContaining(['Array', 'AsyncIterable', 'Uint8Array']));
    writeFileSync(join(folder, 'handlers/every.ts'), text);
    expect(checkTypes(folder, ['handlers'])).toEqual([]);
  });

  test('W10 of a query string as a whole compile, and handlers against them', () => {
    writeFileSync(join(folder, 'handlers/whole.ts'), printDocument(WHOLE, '3.2.0'));
    writeFileSync(join(folder, 'handlers/search.ts'), WHOLE_HANDLERS);
    expect(checkTypes(folder, ['handlers'])).toEqual([]);
  });
});
