/**
 * Hostile requests that HTTP clients can send: refused with 4xx, or harmless, and the next caller is served. One operation stands
 * for all; the grammar of each format is tested with its reader.
 */

import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Asked } from '../support/ask';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useServices } from '../support/services';
import { storedItems } from '../support/stored-items';
import { fullText, tableOf } from '../support/text-cases';

const cases = join(__dirname, 'hostile-requests.cases.txt');

const limit = 2_000_000;
const services = useServices({ MAX_BODY_BYTES: String(limit), MAX_UPLOAD_BYTES: String(limit) });

afterEach(async () => {
  expectOk(await services().ask('GET /petstore/store/order/1'));
});

const [json, xml, form] = [
  'application/json',
  'application/xml',
  'application/x-www-form-urlencoded',
];
const formats = [json, xml];

const petJson = (members = '') => `{"id":1,"name":"Rex","photoUrls":["a"]${members}}`;
const petXml = (elements = '') =>
  `<pet><id>1</id><name>Rex</name><photoUrls><photoUrl>a</photoUrl></photoUrls>${elements}</pet>`;
const petForm = (fields = '') => `id=1&name=Rex&photoUrls=a${fields}`;

const put = (asked: Asked) =>
  services().ask('PUT /petstore/pet', { token: services().petToken, ...asked });

/** Expects the refusal in both formats, and that no pet has changed. */
const expectRefused = async (asked: Asked, status: number): Promise<void> => {
  const pets = () => storedItems(services().db, 'petstore', 'pets').select('id', 'document');
  const before = await pets();
  for (const accept of formats) {
    const answered = await put({ ...asked, accept });
    await expectError(answered, status);
    expect(answered.headers['content-type']).toContain(accept);
  }
  expect(await pets()).toEqual(before);
};

test.each([
  [json, petJson()],
  [xml, petXml()],
  [form, petForm()],
])('the good body that the hostile ones are made of is taken: %s', async (type, body) => {
  expectOk(await put({ type, body }));
});

describe('a body', () => {
  const depth = 100_000;
  const many = Array.from({ length: 100_001 }, (_, index) => index);
  const bytes = (...values: number[]) => String.fromCharCode(...values);
  /** Characters below 256 as bytes. */
  const raw = (text: string) => Buffer.from(text, 'latin1');
  const bomb = many.slice(0, 20).map((n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`);

  test.each<[string, string, string | Uint8Array]>([
    [json, 'half an escape', petJson(',"x":"\\u00"')],
    [json, 'a repeated name, escaped once', petJson(',"x":1,"\\u0078":1')],
    [json, 'deep lists without an end', '['.repeat(depth)],
    [json, 'deep objects', petJson(`,"x":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)],
    [json, 'very many items', petJson(`,"x":[${many}]`)],
    [json, 'very many members', petJson(`,"x":{${many.map((n) => `"${n}":0`)}}`)],
    [json, 'an overlong slash', raw(petJson(`,"x":"${bytes(0xc0, 0xaf)}"`))],
    [json, 'half a character', raw(petJson(`,"x":"${bytes(0xe2, 0x82)}"`))],
    [json, 'UTF-16', Buffer.from(`\ufeff${petJson()}`, 'utf16le')],
    [xml, 'an entity bomb', `<!DOCTYPE x [<!ENTITY e0 "ha">${bomb.join('')}]>${petXml('&e20;')}`],
    [xml, 'U+FFFE', petXml('<x>\ufffe</x>')],
    [xml, 'a control character as reference', petXml('<x>&#x1;</x>')],
    [xml, 'a reference of very many digits', petXml(`<x>&#${'9'.repeat(5000)};</x>`)],
    [xml, 'deep elements without an end', '<x>'.repeat(depth)],
    [xml, 'very many elements', petXml('<x/>'.repeat(many.length))],
    [xml, 'very many attributes', petXml(`<x ${many.map((n) => `a${n}=""`).join(' ')}/>`)],
    [xml, 'bytes that are not UTF-8', raw(petXml(`<x>${bytes(0xff, 0xfe)}</x>`))],
    [
      xml,
      'UTF-16 that ends amid a unit',
      Buffer.from(`\ufeff${petXml()}`, 'utf16le').subarray(0, -1),
    ],
    [
      xml,
      'a UTF-16 declaration before UTF-8',
      `<?xml version="1.0" encoding="utf-16"?>${petXml()}`,
    ],
    [form, 'a bare percent sign', petForm('&x=%')],
    [form, 'U+0000 in a name', petForm('&%00=1')],
    [form, 'raw bytes that are not UTF-8', raw(petForm(`&x=${bytes(0xff)}`))],
    [form, 'one value twice', petForm('&name=Rex')],
    [form, 'very many fields', petForm('&x=1'.repeat(many.length))],
    [form, 'very many different fields', petForm(many.map((n) => `&f${n}=`).join(''))],
  ])('of %s with %s is refused', (type, _title, body) => expectRefused({ type, body }, 405));
});

test.each([
  [415, json, petJson(), '; charset='],
  [415, json, petJson(), '; charset'],
  [415, json, petJson(), '; charset="utf-8'],
  [415, json, petJson(), '; charset=utf-8; charset=utf-16'],
  [415, xml, petXml(), '; charset=x'],
  [415, xml, petXml(), '; charset=""'],
  [415, form, petForm(), '; charset=utf-7'],
  [200, json, petJson(), ';charset=us-ascii;x=y'],
  [200, xml, petXml(), '; charset=iso-8859-1'],
  [200, form, petForm(), ' ; Charset=utf-8'],
])('%i answers %s of %s with "%s"', async (status, type, body, charset) => {
  const asked = { type: type + charset, body };
  if (status === 200) expectOk(await put(asked));
  else await expectRefused(asked, status);
});

describe('a Content-Encoding', () => {
  const zipped = gzipSync(petJson());
  const brokenChecksum = Buffer.concat([zipped.subarray(0, -8), Buffer.alloc(8)]);
  const large = Buffer.alloc(5_000_000);

  test.each<[string, string, string | Uint8Array, number]>([
    ['with a broken checksum', 'gzip', brokenChecksum, 400],
    ['of 5 MB of nothing', 'gzip', gzipSync(large), 413],
    ['of 5 MB of nothing', 'br', brotliCompressSync(large), 413],
    ['twice', 'gzip, gzip', gzipSync(zipped), 415],
    ['that is none', 'br', petJson(), 400],
  ])('%s is refused: %s', (_title, coding, body, status) =>
    expectRefused({ type: json, body, headers: { 'Content-Encoding': coding } }, status),
  );

  test('makes no upload larger than the limit', async () => {
    const answered = await services().ask('POST /petstore/pet/1/uploadImage', {
      token: services().petToken,
      type: 'application/octet-stream',
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync(large),
    });
    await expectError(answered, 413);
  });
});

test('a body past the limit is told from one at the limit by a single byte', async () => {
  const exact = petJson(`,"x":"${'x'.repeat(limit - petJson(',"x":""').length)}"`);
  expect(exact).toHaveLength(limit);
  expectOk(await put({ type: json, body: exact }));
  await expectRefused({ type: json, body: `${exact} ` }, 413);
  const headers = { 'Transfer-Encoding': 'chunked' };
  await expectRefused({ type: json, body: `${exact} `, headers }, 413);
});

describe('the target', () => {
  const targets = tableOf(cases, 'targets').map(
    ([target = '', status]) => [fullText(target), Number(status)] as const,
  );

  test.each(targets)('%s is refused with %s', async (target, status) => {
    for (const accept of formats) {
      const answered = await services().ask(`GET ${target}`, { key: 'special-key', accept });
      await expectError(answered, status);
      expect(answered.headers['content-type']).toContain(accept);
    }
  });
});

describe('a query', () => {
  const find = (query: string) =>
    services().ask(`GET /petstore/pet/findByStatus?${query}`, { token: services().petToken });

  test.each(tableOf(cases, 'queries that are taken'))('with %s is taken', async (_, query = '') => {
    expectOk(await find(fullText(query)));
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });

  test.each(tableOf(cases, 'queries that are refused'))(
    'with %s is refused',
    async (_, query = '') => {
      await expectError(await find(fullText(query)), 400, 'Invalid status value');
    },
  );

  test('with 1,000 tags finds each pet once', async () => {
    const target = `GET /petstore/pet/findByTags?${fullText('⟨tags=quiet×1000&⟩')}`;
    const found = await services().ask(target, { token: services().petToken });
    expect(expectOk(found)).toMatchObject([{ id: 2 }, { id: 6 }, { id: 10 }]);
  });
});

test.each([
  ',',
  ';',
  ';q=1',
  'application/json;q=x, application/json',
  'application/json;q=-1, */*',
  `${'a/b,'.repeat(3000)}*/*`,
  `*/*${';x=1'.repeat(3000)}, */*`,
  '__proto__/constructor, */*',
])('no Accept header breaks an answer', async (accept) => {
  const { status } = await services().ask('GET /petstore/store/order/1', { accept });
  expect([200, 406]).toContain(status);
});

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
])('the credentials %p are refused with 401', async (headers) => {
  for (const target of ['GET /petstore/pet/1', 'POST /petstore/user', 'POST /ads/ad']) {
    await expectError(await services().ask(target, { headers }), 401);
  }
});

// Of other values a refusal says what came where another type was expected.
describe('a refusal never repeats what may be a password:', () => {
  const secret = '4815162342';

  test.each<[string, string]>([
    [json, `{"username":"eve","password":${secret}}`],
    [json, `{"username":"eve","password":["${secret}"]}`],
    [json, `{"password":"${secret}`],
    [json, `{"password":"${secret}","password":"${secret}"}`],
    [xml, `<user><password>${secret}</user>`],
    [xml, `<user>${`<password>${secret}</password>`.repeat(2)}</user>`],
    [form, `password=${secret}%zz`],
    [form, `password=${secret}&password=${secret}`],
  ])('%s %s', async (type, body) => {
    const { ask, login } = services();
    for (const accept of formats) {
      const asked = { token: login.petstore, type, body, accept };
      const { status, text } = await ask('POST /petstore/user', asked);
      expect([status, text]).toEqual([400, expect.not.stringContaining(secret)]);
    }
  });

  test.each([
    `/petstore/user/login?username=demo&password=${secret}`,
    `/petstore/user/login?username=demo&password=${secret}&password=${secret}`,
    `/petstore/user/login?username=${secret}%zz&password=x`,
    `/ads/user/login?password=${secret}`,
    `/petstore/pet/findByStatus?status=${secret}`,
    `/petstore/user/${secret}`,
    `/nowhere/${secret}`,
  ])('%s', async (target) => {
    const { ask, petToken: token } = services();
    for (const accept of formats) {
      const { status, text } = await ask(`GET ${target}`, { token, accept });
      expect([400, 404]).toContain(status);
      expect(text).not.toContain(secret);
    }
  });
});
