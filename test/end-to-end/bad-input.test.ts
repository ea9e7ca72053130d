/** Hostile bodies in each format: they are refused with 4xx, and nothing is stored. */

import { describe, expect, test } from '@jest/globals';
import type { Answered, Asked } from '../support/ask';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useServices } from '../support/services';
import {
  type HostileBodies,
  hostileForms,
  hostileJson,
  hostileXml,
  truncations,
} from './hostile-bodies';

const services = useServices({ MAX_BODY_BYTES: '4000000' });

const formType = 'application/x-www-form-urlencoded';

const petJson = (members: string) => `{"id":1,"name":"Rex","photoUrls":["a"]${members}}`;
const petXml = (elements: string) =>
  `<pet><id>1</id><name>Rex</name><photoUrls><photoUrl>a</photoUrl></photoUrls>${elements}</pet>`;
const petForm = 'id=1&name=Rex&photoUrls=a';

const truncated = (text: string): HostileBodies =>
  Object.fromEntries(truncations(text).map((part) => [`the start ${part.slice(-20)}`, part]));

/** One operation stands for all: test/contract sends malformed bodies to each of them. */
const formats: readonly (readonly [type: string, good: string, bodies: HostileBodies])[] = [
  ['application/json', petJson(''), { ...hostileJson(petJson), ...truncated(petJson('')) }],
  ['application/xml', petXml(''), { ...hostileXml(petXml), ...truncated(petXml('')) }],
  [formType, petForm, hostileForms(petForm, 'name')],
];

const put = (asked: Asked) =>
  services().ask('PUT /petstore/pet', { token: services().petToken, ...asked });

const storedRows = async (): Promise<unknown> => {
  const { db } = services();
  const tables = ['items', 'users', 'id_counters'];
  const counts: unknown[] = [];
  for (const table of tables) counts.push(await db.knex(table).select());
  return counts;
};

const expectRefused = async (answered: Answered, title: string): Promise<void> => {
  const isRefusal = answered.status >= 400 && answered.status < 500;
  expect([title, isRefusal, answered.status]).toEqual([title, true, answered.status]);
  await expectError(answered);
};

const accepts: readonly (readonly [string, RegExp])[] = [
  ['application/json', /^application\/json$/],
  ['application/xml, application/json;q=0.5', /^application\/xml/],
];

describe.each(formats)('%s', (type, good, bodies) => {
  test('the good body that the hostile ones are made of is taken', async () => {
    expectOk(await put({ type, body: good }));
    await services().reset();
  });

  test.each(accepts)('every hostile body is refused in %s', async (accept, mediaType) => {
    const before = await storedRows();
    for (const [title, body] of Object.entries(bodies)) {
      const answered = await put({ type, body, accept });
      await expectRefused(answered, title);
      expect(answered.headers['content-type']).toMatch(mediaType);
      expectOk(await services().ask('GET /petstore/store/order/1'));
    }
    expect(await storedRows()).toEqual(before);
  });
});

test('no body reaches the prototype of anything', async () => {
  const bodies: readonly (readonly [string, string])[] = [
    [
      'application/json',
      petJson(',"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}'),
    ],
    ['application/json', petJson(',"category":{"__proto__":{"polluted":1},"name":"x"}')],
    ['application/xml', petXml('<__proto__><polluted>1</polluted></__proto__>')],
    [
      'application/xml',
      petXml('<constructor><prototype><polluted>1</polluted></prototype></constructor>'),
    ],
    [
      formType,
      `${petForm}&__proto__[polluted]=1&__proto__.polluted=1&constructor[prototype][polluted]=1`,
    ],
    [formType, `${petForm}&category[__proto__][polluted]=1&category={"__proto__":{"polluted":1}}`],
  ];
  for (const [type, body] of bodies) {
    const { status } = await put({ type, body });
    expect(status).toBeLessThan(500);
    // The server runs in this very process.
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Reflect.get(Object, 'polluted')).toBeUndefined();
  }
});

test.each<[string, string, string | Uint8Array]>([
  ['JSON after a byte-order mark', 'application/json', `\ufeff${petJson('')}`],
  ['XML after a byte-order mark', 'application/xml', `\ufeff${petXml('')}`],
  ['a form after a byte-order mark', formType, `\ufeff${petForm}`],
  ['XML in UTF-16', 'application/xml', Buffer.from(`\ufeff${petXml('')}`, 'utf16le')],
  [
    'XML in big-endian UTF-16',
    'application/xml',
    Buffer.from(`\ufeff${petXml('')}`, 'utf16le').swap16(),
  ],
  [
    'XML in ISO-8859-1',
    'application/xml; charset=iso-8859-1',
    Buffer.from(petXml('<x>é</x>'), 'latin1'),
  ],
  ['JSON with blanks around', 'application/json', ` \r\n\t${petJson('')}\n`],
  [
    'XML with all that may stand around',
    'application/xml',
    `<?xml version="1.0"?><!-- a --><?b c?>\n${petXml('<![CDATA[]]>')}\n<!-- d -->`,
  ],
])('%s is taken', async (_, type, body) => {
  expect(expectOk(await put({ type, body }))).toEqual({ id: 1, name: 'Rex', photoUrls: ['a'] });
});
