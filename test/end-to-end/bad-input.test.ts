/** Hostile bodies, by operation and format: each is refused as a fault of the caller, and nothing comes of it. */

import { describe, expect, test } from '@jest/globals';
import type { Answered } from '../support/ask';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { type Services, useServices } from '../support/services';
import {
  type HostileBodies,
  hostileForms,
  hostileJson,
  hostileXml,
  truncations,
} from './hostile-bodies';

const services = useServices({ MAX_BODY_BYTES: '4000000' });

const formType = 'application/x-www-form-urlencoded';

/** An operation that takes a body, with good bodies that hostile parts are put into. */
interface Target {
  readonly name: string;
  readonly ask: string;
  token(from: Services): string | undefined;
  json(members: string): string;
  xml?(elements: string): string;
  readonly form?: string;
  /** A property of one value. */
  readonly field: string;
}

const petJson = (members: string) => `{"id":1,"name":"Rex","photoUrls":["a"]${members}}`;
const petXml = (elements: string) =>
  `<pet><id>1</id><name>Rex</name><photoUrls><photoUrl>a</photoUrl></photoUrls>${elements}</pet>`;
const userJson = (members: string) => `{"username":"eve","password":"x","isAgent":true${members}}`;
const userXml = (elements: string) =>
  `<user><username>eve</username><password>x</password><isAgent>true</isAgent>${elements}</user>`;
const userForm = 'username=eve&password=x&isAgent=true';
const pet = { json: petJson, xml: petXml, form: 'id=1&name=Rex&photoUrls=a', field: 'name' };
const user = { json: userJson, xml: userXml, form: userForm, field: 'username' };

const petToken = (from: Services) => from.petToken;
const petLogin = (from: Services) => from.login.petstore;

const targets: readonly Target[] = [
  {
    name: 'addPet',
    ask: 'POST /petstore/pet',
    token: petToken,
    json: (members) => petJson(members).replace('"id":1,', ''),
    xml: (elements) => petXml(elements).replace('<id>1</id>', ''),
    form: 'name=Rex&photoUrls=a',
    field: 'name',
  },
  { name: 'updatePet', ask: 'PUT /petstore/pet', token: petToken, ...pet },
  {
    name: 'placeOrder',
    ask: 'POST /petstore/store/order',
    token: () => undefined,
    json: (members) => `{"petId":1${members}}`,
    xml: (elements) => `<order><petId>1</petId>${elements}</order>`,
    form: 'petId=1',
    field: 'petId',
  },
  { name: 'createUser', ask: 'POST /petstore/user', token: petLogin, ...user },
  { name: 'updateUser', ask: 'PUT /petstore/user/demo', token: petLogin, ...user },
  {
    name: 'createUsersWithListInput',
    ask: 'POST /petstore/user/createWithList',
    token: petLogin,
    json: (members) => `[${userJson(members)}]`,
    field: 'username',
  },
  {
    name: 'createUser of the ads',
    ask: 'POST /ads/user',
    token: (from) => from.login.ads,
    ...user,
  },
  {
    name: 'addAd',
    ask: 'POST /ads/ad',
    token: (from) => from.adToken,
    json: (members) =>
      `{"title":"a","propertyType":"À la vente","publicationStatus":"Publiée","propertyStatus":"Vendu","description":"b","price":1,"availabilityDate":"2030-01-01T00:00:00Z","userName":"demo"${members}}`,
    field: 'title',
  },
];

const truncated = (text: string): HostileBodies =>
  Object.fromEntries(truncations(text).map((part) => [`the start ${part.slice(-20)}`, part]));

interface Format {
  readonly target: Target;
  readonly type: string;
  readonly good: string;
  readonly bodies: HostileBodies;
}

const formats: readonly (readonly [string, Format])[] = targets.flatMap((target) => {
  const { name, json, xml, form, field } = target;
  const entry = (type: string, good: string, bodies: HostileBodies) =>
    [`${name} in ${type}`, { target, type, good, bodies }] as const;
  return [
    entry('application/json', json(''), { ...hostileJson(json), ...truncated(json('')) }),
    ...(xml
      ? [entry('application/xml', xml(''), { ...hostileXml(xml), ...truncated(xml('')) })]
      : []),
    ...(form ? [entry(formType, form, hostileForms(form, field))] : []),
  ];
});

const kept = async (): Promise<unknown> => {
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

describe.each(formats)('%s', (_, { target, type, bodies, good }) => {
  test('takes the good body that the hostile ones are made of', async () => {
    const { ask, reset } = services();
    expectOk(await ask(target.ask, { token: target.token(services()), type, body: good }));
    await reset();
  });

  test.each(accepts)('refuses every hostile body in %s, and goes on', async (accept, mediaType) => {
    const { ask } = services();
    const token = target.token(services());
    const before = await kept();
    for (const [title, body] of Object.entries(bodies)) {
      const answered = await ask(target.ask, { token, type, body, accept });
      await expectRefused(answered, title);
      expect(answered.headers['content-type']).toMatch(mediaType);
      expectOk(await ask('GET /petstore/store/order/1'));
    }
    expect(await kept()).toEqual(before);
  });
});

test('no body reaches the prototype of anything', async () => {
  const { ask, petToken: token } = services();
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
      `${pet.form}&__proto__[polluted]=1&__proto__.polluted=1&constructor[prototype][polluted]=1`,
    ],
    [formType, `${pet.form}&category[__proto__][polluted]=1&category={"__proto__":{"polluted":1}}`],
  ];
  for (const [type, body] of bodies) {
    const { status } = await ask('PUT /petstore/pet', { token, type, body });
    expect(status).toBeLessThan(500);
    // The server runs in this very process.
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Reflect.get(Object, 'polluted')).toBeUndefined();
  }
});

test.each<[string, string, string | Uint8Array]>([
  ['JSON after a byte-order mark', 'application/json', `\ufeff${petJson('')}`],
  ['XML after a byte-order mark', 'application/xml', `\ufeff${petXml('')}`],
  ['a form after a byte-order mark', formType, `\ufeff${pet.form}`],
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
  const { ask, petToken: token } = services();
  const answered = await ask('PUT /petstore/pet', { token, type, body });
  expect(expectOk(answered)).toEqual({ id: 1, name: 'Rex', photoUrls: ['a'] });
});
