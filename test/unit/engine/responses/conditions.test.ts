/** Conditional requests of handlers' own data, and headers of one value, in any host. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../../src/package';
import { openApiFetch } from '../../../../src/package/fetch';

const document = parseApiDocument(
  'things.yaml',
  readFileSync(join(__dirname, 'conditions.yaml'), 'utf8'),
);

/** The handlers of changes: what is there has the tag "7". */
interface Changing {
  readonly precondition: (current: unknown) => void;
  readonly path: { readonly id?: string };
}

const items: Readonly<Record<string, unknown>> = { tag: '"7"', weak: 'W/"7"', item: [1, 2] };
let changes = 0;

const change =
  (status: number) =>
  ({ precondition, path }: Changing) => {
    precondition(items[path.id ?? '']);
    changes += 1;
    return { status };
  };

const open = () =>
  openApiFetch(
    document,
    {
      value: () => ({ status: 200, body: [1, 2] }),
      own: () => ({
        status: 200,
        body: [1],
        headers: { etag: 'W/"mine"', 'cache-control': 'max-age=9' },
      }),
      bytes: () => ({ status: 200, serialized: Buffer.from('bytes') }),
      byStatus: () => ({ status: 200, body: 'same' }),
      post: ({ precondition }: Changing) => {
        precondition('"7"');
        return { status: 200, body: 'done' };
      },
      plain: () => ({ status: 200, body: 'plain' }),
      putPlain: ({ precondition }: Changing) => {
        precondition('"7"');
        return { status: 204 };
      },
      patch: ({ precondition }: Changing) => {
        precondition('"7"');
        return { status: 204 };
      },
      putOf: change(200),
      deleteOf: change(204),
      postOf: change(200),
      patchOf: change(204),
      missing: () => ({ status: 404, body: 'none' }),
      usual: () => ({ status: 200, body: 'usual', headers: { 'x-given': 'given' } }),
    },
    {},
    { validateResponses: true },
  );

const ask = async (target: string, headers: Record<string, string> = {}) => {
  const [method = '', path] = target.split(' ');
  const answer = await open();
  return answer(new Request(`http://any${path}`, { method, headers }));
};

const facts = async (target: string, headers: Record<string, string> = {}) => {
  const response = await ask(target, headers);
  const { status } = response;
  return [status, response.headers.get('etag'), response.headers.get('cache-control')];
};

const asked = 'private, no-cache';
const tag = expect.stringMatching(/^"[\w-]{16}"$/);
const textTag = expect.stringMatching(/^"[\w-]{16}\/text\/plain"$/);

describe('the tag', () => {
  test.each<[target: string, facts: readonly unknown[]]>([
    ['GET /value', [200, tag, asked]],
    ['GET /own', [200, 'W/"mine"', 'max-age=9']],
    ['GET /bytes', [200, textTag, asked]],
    ['GET /by-status', [200, textTag, asked]],
    ['POST /post', [200, textTag, asked]],
    ['GET /plain', [200, null, 'no-store']],
  ])('of %s', async (target, expected) => {
    expect(await facts(target)).toEqual(expected);
  });

  test('is of successes alone', async () => {
    expect((await ask('GET /missing')).headers.get('etag')).toBe(null);
  });

  test.each([
    ['GET /own', '"mine"', 304],
    ['GET /own', '"other", W/"mine"', 304],
    ['GET /plain', '*', 200],
    ['GET /plain', 'malformed', 200],
  ])('%s with If-None-Match %s', async (target, field, status) => {
    expect((await ask(target, { 'If-None-Match': field })).status).toBe(status);
  });
});

describe('the precondition', () => {
  test.each([
    ['PATCH /patch', undefined, 204],
    ['PATCH /patch', '"7"', 204],
    ['PATCH /patch', '*', 204],
    ['PATCH /patch', '"8"', 412],
    ['PATCH /patch', 'W/"7"', 412],
    ['PATCH /patch', '7', 400],
    ['PATCH /patch', ' "8" , W/"9","7" , ', 204],
    ['PATCH /patch', '"7" "8"', 400],
    ['PATCH /patch', '*, "7"', 400],
    ['PATCH /patch', ', ,"8",, "7",', 204],
    ['PATCH /patch', '"8",, "9"x', 400],
  ])('%s with If-Match %s is %i', async (target, field, status) => {
    const headers = field === undefined ? {} : { 'If-Match': field };
    expect((await ask(target, headers)).status).toBe(status);
  });
});

const [valueTag, xmlTag] = ['"SaZHF9XUyxmVLm6s"', 'W/"SaZHF9XUyxmVLm6s/application/xml"'];

describe('If-None-Match of a change', () => {
  test.each<[target: string, field: string, status: number, ifMatch?: string]>([
    ['PUT /none/tag', '*', 412],
    ['PUT /none/new', '*', 200],
    ['PUT /none/tag', '"7"', 412],
    ['PUT /none/tag', 'W/"7"', 412],
    ['PUT /none/weak', '"7"', 412],
    ['PUT /none/tag', '"6",, W/"7"', 412],
    ['PUT /none/tag', '"6", "8"', 200],
    ['PUT /none/new', '"7"', 200],
    ['PUT /none/item', valueTag, 412],
    ['PUT /none/item', xmlTag, 412],
    ['PUT /none/item', '"other"', 200],
    ['PUT /none/tag', '7', 400],
    ['PUT /none/tag', '*', 412, '*'],
    ['PUT /none/tag', '"8"', 412, '"6"'],
    ['PUT /none/new', '*', 412, '*'],
    ['PUT /none/tag', '"8"', 200, '"7"'],
    ['DELETE /none/tag', '*', 412],
    ['DELETE /none/tag', '"8"', 204],
    ['POST /none/tag', '"7"', 412],
    ['POST /none/new', '*', 200],
    ['PATCH /none/tag', '"7"', 412],
    ['PATCH /none/new', '*', 204],
    ['PUT /plain', '*', 204],
  ])('%s with %s is %i', async (target, field, status, ifMatch = '') => {
    changes = 0;
    const headers = { 'If-None-Match': field, ...(ifMatch && { 'If-Match': ifMatch }) };
    expect((await ask(target, headers)).status).toBe(status);
    expect(changes).toBe(status < 300 && target !== 'PUT /plain' ? 1 : 0);
  });

  test('428 asks for one condition or the other, of changes that can be read before', async () => {
    const asked = ['PATCH /none/tag', 'POST /none/tag'].map((target) => ask(target));
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([428, 200]);
  });
});

test('a long field is refused at once: each of its blanks is looked at once', async () => {
  const fields = [`"7",${' '.repeat(500_000)}7`, `"7" ${' ,'.repeat(250_000)}7`];
  for (const field of fields) {
    expect((await ask('PATCH /patch', { 'If-Match': field })).status).toBe(400);
  }
});

test('headers of one value are written by their schemas, unless the handler gives another', async () => {
  const { headers } = await ask('GET /usual');
  const names = ['x-const', 'x-enum', 'x-default', 'x-given', 'x-many'];
  expect(names.map((name) => headers.get(name))).toEqual(['7', 'a b', 'a,b', 'given', null]);
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
});
