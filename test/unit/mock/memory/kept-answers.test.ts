/** Mocks that remember act once on what is sent again under one Idempotency-Key. */

import { expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/package';
import { openApiFetch } from '../../../../src/package/fetch';

const content = (schema: string) => `content: { application/json: { schema: ${schema} } }`;
const thing = "{ $ref: '#/components/schemas/Thing' }";
const failure = `{ description: No, ${content('{ type: object, properties: { message: { type: string } } }')} }`;
const declared = '- { name: idempotency-KEY, in: header, schema: { type: string } }';

/** @param failures the statuses that a POST declares beside its success */
const open = async (failures = '422', parameter = declared) => {
  const others = failures.split(' ').map((status) => `'${status}': ${failure}`);
  const document = parseApiDocument(
    'shop.yaml',
    `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /things:
    get: { responses: { '200': { description: All, ${content(`{ type: array, items: ${thing} }`)} } } }
    post:
      parameters:
        - { name: dry, in: query, schema: { type: boolean } }
        ${parameter}
      requestBody: { ${content(thing)} }
      responses: { '201': { description: Made, ${content(thing)} }, ${others.join(', ')} }
  /things/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer } }
      ${parameter}
    get: { responses: { '200': { description: One, ${content(thing)} }, '404': ${failure} } }
    patch: { requestBody: { ${content('{ type: object, properties: { name: { type: string } } }')} }, responses: { '200': { description: One, ${content(thing)} } } }
    delete: { responses: { '204': { description: Gone }, '404': ${failure} } }
components:
  schemas:
    Thing: { type: object, required: [id], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
`,
  );
  const answer = await openApiFetch(document, {}, {}, { mocks: true });
  return async (line: string, body?: object, key?: string) => {
    const [method = '', path = ''] = line.split(' ');
    const headers = {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
    };
    const sent = body && { body: JSON.stringify(body) };
    const response = await answer(new Request(`http://any${path}`, { method, headers, ...sent }));
    return { status: response.status, text: await response.text() };
  };
};
type Ask = Awaited<ReturnType<typeof open>>;

/** Counts the items beyond the three that are there at the start. */
const countOf = async (ask: Ask): Promise<number> =>
  JSON.parse((await ask('GET /things')).text).length - 3;

test('the same request under the same key creates once, whatever becomes of the item', async () => {
  const ask = await open();
  const first = await ask('POST /things', { name: 'Nut' }, 'a');
  expect(first).toEqual({ status: 201, text: '{"id":4,"name":"Nut"}' });
  expect(await ask('POST /things', { name: 'Nut' }, 'a')).toEqual(first);
  expect(await countOf(ask)).toBe(1);
  const [gone, path] = [{ status: 204, text: '' }, 'DELETE /things/4'];
  expect([await ask(path, undefined, 'a'), await ask(path, undefined, 'a')]).toEqual([gone, gone]);
  expect((await ask(path, undefined, 'b')).status).toBe(404);
  expect(await ask('POST /things', { name: 'Nut' }, 'a')).toEqual(first);
  expect(await countOf(ask)).toBe(0);
});

test.each<[string, ...parameters: Parameters<Ask>]>([
  ['another key', 'POST /things', { name: 'Nut' }, 'b'],
  ['no key', 'POST /things', { name: 'Nut' }],
  ['an empty key', 'POST /things', { name: 'Nut' }, ''],
])('creates again: %s', async (_, ...request) => {
  const ask = await open();
  await ask('POST /things', { name: 'Nut' }, 'a');
  await ask(...request);
  await ask('POST /things', { name: 'Nut' }, 'a');
  expect(await countOf(ask)).toBe(2);
});

test('the same key on another item is another key', async () => {
  const ask = await open();
  const texts = [
    (await ask('PATCH /things/1', { name: 'New' }, 'a')).text,
    (await ask('PATCH /things/2', { name: 'New' }, 'a')).text,
  ];
  expect(texts).toEqual(['{"id":1,"name":"New"}', '{"id":2,"name":"New"}']);
});

test('an operation that declares no such header acts each time', async () => {
  const ask = await open(undefined, '');
  for (const _ of [1, 2]) await ask('POST /things', { name: 'Nut' }, 'a');
  expect(await countOf(ask)).toBe(2);
});

test.each([
  ['422 409', 422],
  ['409 400', 409],
  ['400', 400],
  ['400 default', 422],
  ['400 4XX', 422],
  ['404', 422],
])('another request under a known key, where %s is declared: %d', async (failures, status) => {
  const ask = await open(failures);
  await ask('POST /things', { name: 'Nut' }, 'a');
  const refused = await ask('POST /things', { name: 'Bolt' }, 'a');
  expect(refused.status).toBe(status);
  expect(JSON.parse(refused.text).errors).toEqual([
    { in: 'header', path: 'idempotency-KEY', message: 'must be new for another request' },
  ]);
  expect((await ask('POST /things?dry=true', { name: 'Nut' }, 'a')).status).toBe(status);
  expect(await countOf(ask)).toBe(1);
});

test('a reset forgets the keys', async () => {
  const ask = await open();
  for (const _ of [1, 2]) {
    await ask('POST /things', { name: 'Nut' }, 'a');
    await ask('DELETE /__state');
  }
  expect((await ask('POST /things', { name: 'Bolt' }, 'a')).status).toBe(201);
});

test.each([
  ['of many', 1000, 'Nut'],
  ['of large ones', 9, 'N'.repeat(1_000_000)],
])('%s the oldest key is forgotten', async (_, more, name) => {
  const ask = await open();
  for (let key = 0; key <= more; key += 1) await ask('POST /things', { name }, String(key));
  expect((await ask('POST /things', { name }, String(more))).text).toContain(`"id":${more + 4},`);
  expect((await ask('POST /things', { name }, '0')).text).toContain(`"id":${more + 5},`);
});
