/** Hostile targets, queries, Accept headers and credentials are refused with 4xx, or harmless. */

import { afterEach, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useServices } from '../support/services';

const services = useServices();

afterEach(async () => {
  expectOk(await services().ask('GET /petstore/store/order/1'));
});

describe('the target', () => {
  test.each<[string, number]>([
    ['/petstore/pet/1%2F2', 400],
    ['/petstore/pet/1%00', 400],
    ['/petstore/pet/%', 400],
    ['/petstore/pet/%E0%A4%A', 400],
    [`/petstore/pet/${'9'.repeat(5000)}`, 400],
    [`/petstore/pet/${'-'.repeat(5000)}`, 400],
    ['/petstore/pet/1;x=1', 400],
    ['/petstore/pet/../pet/1', 404],
    ['/petstore/./pet/1', 404],
    ['/petstore/pet/1/', 404],
    ['/petstore//pet/1', 404],
    ['/petstore/%70et/4711', 404],
    ['/petstore\\pet\\1', 404],
    ['//petstore/pet/1', 404],
    [`/${'petstore/'.repeat(1500)}`, 404],
    ['/petstore/user/%2e%2e%2f%2e%2e%2fetc%2fpasswd', 404],
    [`/petstore/user/${'x'.repeat(10_000)}`, 404],
    ['/petstore/files/%', 400],
    ['/petstore/files/%ff', 400],
    ['/petstore%2fpet%2f1', 404],
    ['/%', 404],
    ['/%00', 404],
    ['/.git/config', 404],
    ['/petstore/openapi.yaml/', 404],
    ['/petstore/__proto__', 404],
    ['/constructor', 404],
    ['/petstore/user/__proto__', 404],
    ['/petstore/user/constructor', 404],
  ])('%s is refused with %s', async (target, status) => {
    for (const accept of ['application/json', 'application/xml']) {
      const answered = await services().ask(`GET ${target}`, { key: 'special-key', accept });
      await expectError(answered, status);
      expect(answered.headers['content-type']).toContain(accept);
    }
  });
});

describe('the query', () => {
  const find = (query: string) =>
    services().ask(`GET /petstore/pet/findByStatus?${query}`, { token: services().petToken });
  const numbered = (name: (index: number) => string) =>
    Array.from({ length: 1000 }, (_, index) => name(index)).join('&');

  test.each<[string, string]>([
    ['1,000 unknown parameters', numbered((index) => `p${index}=${index}`)],
    ['one unknown parameter 1,000 times', numbered(() => 'x=1')],
    ['1,000 levels of brackets', `x${'[a]'.repeat(1000)}=1`],
    ['ampersands alone', '&'.repeat(999)],
    ['equals signs alone', '='.repeat(5000)],
    ['question marks', '???status=sold'],
    ['a fragment that is none', 'x=%23'],
    ['names of prototypes', '__proto__=1&constructor=2&__proto__[x]=3&hasOwnProperty=4'],
  ])('with %s is taken', async (_, query) => {
    expectOk(await find(query));
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });

  test.each<[string, string]>([
    ['more than 1,000 parameters', '&'.repeat(1000)],
    ['one parameter 1,000 times', numbered(() => 'status=sold')],
    ['a list of 1,000 wrong values', `status=${'x,'.repeat(1000)}`],
    ['commas alone', `status=${','.repeat(5000)}`],
    ['a malformed value', 'status=%zz'],
    ['a malformed value of an unknown parameter', 'status=sold&x=%zz'],
    ['a value that is not UTF-8', 'status=%ff'],
    ['U+0000', 'status=sold%00'],
    ['a surrogate', 'status=%ed%a0%80'],
    ['brackets', 'status=sold&status[]=sold,x&status=%'],
  ])('with %s is refused', async (_, query) => {
    await expectError(await find(query), 400, 'Invalid status value');
  });

  test('with 1,000 tags finds each pet once', async () => {
    const query = numbered((index) => `tags=${index % 2 === 0 ? 'quiet' : index}`);
    const found = await services().ask(`GET /petstore/pet/findByTags?${query}`, {
      token: services().petToken,
    });
    expect(expectOk(found)).toMatchObject([{ id: 2 }, { id: 6 }, { id: 10 }]);
  });
});

describe('the Accept header', () => {
  test.each([
    ',',
    ';',
    ';q=1',
    'application/json;q=x, application/json',
    'application/json;q=-1, */*',
    `${'a/b,'.repeat(3000)}*/*`,
    `*/*${';x=1'.repeat(3000)}, */*`,
    '__proto__/constructor, */*',
  ])('never breaks an answer', async (accept) => {
    const { status } = await services().ask('GET /petstore/store/order/1', { accept });
    expect([200, 406]).toContain(status);
  });
});

describe('credentials', () => {
  test.each<Readonly<Record<string, string>>>([
    { Authorization: 'Bearer' },
    { Authorization: `Bearer ${'x'.repeat(10_000)}` },
    { Authorization: 'Bearer a b' },
    { Authorization: 'Bearer \u00ff' },
    { Authorization: "Bearer ' or '1'='1" },
    { Authorization: 'Basic !!!' },
    { api_key: 'x'.repeat(10_000) },
    { api_key: '' },
    { api_key: '__proto__' },
    { Cookie: `session=${'x'.repeat(10_000)}` },
    { Cookie: 'session=%' },
    { Cookie: '=;;;=' },
    { Cookie: '__proto__=1; constructor=2; session=x' },
  ])('%p are refused with 401', async (headers) => {
    for (const target of ['GET /petstore/pet/1', 'POST /petstore/user', 'POST /ads/ad']) {
      await expectError(await services().ask(target, { headers }), 401);
    }
  });
});
