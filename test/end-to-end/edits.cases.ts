/** Edits that authors of contracts make in a year: what is said of each, by `npm start` and `npm run dev` alike, and what is served. */

import type { Asked } from '../support/ask';
import type { DocumentEdit } from '../support/edit-document';

/** A request, and the status, or the status and a part of the body, that it is answered with. */
type Question = readonly [target: string, status: number, part?: string, asked?: Asked];

/** An edit of documents or files. */
export interface EditCase {
  readonly title: string;
  /** `petstore` where nothing else is said. */
  readonly spec?: 'petstore' | 'ads';
  readonly edits?: readonly DocumentEdit[];
  /** A component schema that gets another name. */
  readonly renames?: readonly [from: string, to: string];
  /** Whole files; null where one is removed. */
  readonly files?: Readonly<Record<string, string | null>>;
  /** Texts put before that of a file. */
  readonly prepends?: Readonly<Record<string, string>>;
  /** Lines; `:N` stands for any place. The end of a line may be left out. */
  readonly says?: readonly string[];
  /** What one of the commands says in place of it. */
  readonly startSays?: readonly string[];
  readonly devSays?: readonly string[];
  readonly asks?: readonly Question[];
  /** What is served after a start alone, whose database is new. */
  readonly asksAfterStart?: readonly Question[];
  /** What is served by the program that goes on, which keeps the last good version of what broke. */
  readonly asksInDev?: readonly Question[];
}

const key: Asked = { key: 'special-key' };
const schema = (...steps: (string | number)[]) => ['components', 'schemas', ...steps];
const order = ['paths', '/store/order', 'post'];
const orderById = ['paths', '/store/order/{orderId}'];
const pet = ['paths', '/pet/{petId}', 'get'];
const inventory = ['paths', '/store/inventory', 'get'];
const json = (to: unknown) => ({ 'application/json': { schema: to } });
const ok = (to: unknown) => ({ 200: { description: 'OK', content: json(to) } });
const text = { type: 'string' };
const mocked = 'has no handler: mocked. npm run contract -- stubs writes one';
const again = 'npm run types checks it again';

/** Edits that need no code, and operations that come or have another tag. */
const free: readonly EditCase[] = [
  {
    title: 'another text of an error',
    edits: [
      { at: ['components', 'responses', 'OrderNotFound', 'description'], to: 'No such order' },
    ],
    asks: [['GET /petstore/store/order/99', 404, 'No such order', key]],
  },
  {
    title: 'a new value of an enum',
    edits: [{ at: schema('Pet', 'properties', 'status', 'enum', 3), to: 'adopted' }],
    asks: [['GET /petstore/store/inventory', 200, '"adopted":0', key]],
  },
  {
    title: 'a required property with a default',
    edits: [
      { at: schema('Order', 'properties', 'express'), to: { type: 'boolean', default: false } },
      { at: schema('Order', 'required'), to: ['express'] },
    ],
    asks: [['GET /petstore/store/order/1', 200, '"express":false', key]],
  },
  {
    title: 'security that is asked for',
    edits: [{ at: [...orderById, 'get', 'security'], to: [{ api_key: [] }] }],
    asks: [
      ['GET /petstore/store/order/1', 401],
      ['GET /petstore/store/order/1', 200, '', key],
    ],
  },
  {
    title: 'another base path',
    spec: 'ads',
    edits: [{ at: ['servers', 0, 'url'], to: '/annonces' }],
    asks: [
      ['GET /annonces/openapi.json', 200],
      ['GET /ads/openapi.json', 404],
    ],
  },
  {
    title: 'an operation added under a tag that has handlers',
    edits: [
      {
        at: ['paths', '/store/order', 'get'],
        to: { tags: ['store'], operationId: 'listOrders', responses: ok(text) },
      },
    ],
    says: [
      `listOrders (specs/petstore.yaml:N) ${mocked}`,
      '  handlers/petstore/store.ts:N error TS',
    ],
    asks: [['GET /petstore/store/order', 200]],
  },
  {
    title: 'another tag of an operation',
    edits: [{ at: ['paths', '/user/logout', 'get', 'tags', 0], to: 'session' }],
    says: [
      `handlers/petstore/user.ts:N does not fit logoutUser (specs/petstore.yaml:N). ${again}`,
      '  handlers/petstore/user.ts:N error TS',
    ],
    asks: [['GET /petstore/user/logout', 200]],
  },
];

/** Messages and schemas that handlers rely on. */
const messages: readonly EditCase[] = [
  {
    title: 'a property that is called otherwise',
    edits: [
      { at: schema('User', 'properties', 'password') },
      { at: schema('User', 'properties', 'secret'), to: { ...text, writeOnly: true } },
    ],
    says: [
      `handlers/petstore/user.ts:N does not fit User (specs/petstore.yaml:N). ${again}`,
      '  handlers/petstore/user.ts:N error TS',
    ],
    startSays: [
      `handlers/petstore/user.ts:N does not fit User (specs/petstore.yaml:N). ${again}`,
      `handlers/petstore/user.ts:N does not fit createUser (specs/petstore.yaml:N). ${again}`,
      '  handlers/petstore/user.ts:N error TS',
    ],
    asks: [['GET /petstore/openapi.json', 200, '"secret"']],
  },
  {
    title: 'a value of an enum that is gone, and that demo data use',
    edits: [
      { at: schema('Pet', 'properties', 'status', 'enum', 2) },
      { at: ['paths', '/pet/findByStatus', 'get', 'parameters', 0, 'schema', 'enum', 2] },
      { at: ['paths', '/pet/{petId}', 'post', 'parameters', 2, 'schema', 'enum', 2] },
    ],
    says: [
      'handlers/petstore/demo.ts: items 5, 8 of pets do not fit Pet (specs/petstore.yaml:N) and are left out: /status must be one of "available", "pending"',
      '  handlers/petstore/demo.ts:N error TS2322',
    ],
    asksAfterStart: [
      ['GET /petstore/pet/5', 404, '', key],
      ['GET /petstore/pet/6', 200, 'Nemo', key],
    ],
  },
  {
    title: 'a status that is gone, and that a handler fails with',
    edits: [{ at: [...pet, 'responses', '404'] }],
    says: [
      `handlers/petstore/pet.ts:N does not fit getPetById (specs/petstore.yaml:N). ${again}`,
      '  handlers/petstore/pet.ts:N error TS',
    ],
    asks: [['GET /petstore/pet/1', 200, 'Bello', key]],
  },
  {
    title: 'another schema of a response',
    edits: [
      { at: schema('Inventory'), to: { type: 'array', items: { type: 'integer' } } },
      { at: [...inventory, 'responses', '200', 'content', 'application/json', 'example'] },
    ],
    says: [
      `handlers/petstore/store.ts:N does not fit getInventory (specs/petstore.yaml:N). ${again}`,
      '  handlers/petstore/store.ts:N error TS',
    ],
    asks: [['GET /petstore/store/inventory', 500, '', key]],
  },
  {
    title: 'another status of success',
    edits: [
      { at: [...order, 'responses', '200'] },
      { at: [...order, 'responses', '201'], to: { description: 'Placed' } },
    ],
    says: [
      `handlers/petstore/store.ts:N does not fit placeOrder (specs/petstore.yaml:N). ${again}`,
    ],
    // `default` promises it.
    asks: [['POST /petstore/store/order', 200, '', { body: {} }]],
  },
];

/** Formats, ids and requirements that stored data do not keep to. */
const values: readonly EditCase[] = [
  {
    title: 'an enum on an id',
    edits: [{ at: schema('Tag', 'properties', 'id', 'enum'), to: [1, 2, 3] }],
    says: [
      'handlers/petstore/demo.ts: items 1, 2, 5, 6, 8, 9, 10 of pets do not fit Pet (specs/petstore.yaml:N) and are left out: ',
      '  handlers/petstore/demo.ts:N error TS2322',
    ],
    asksAfterStart: [['GET /petstore/pet/3', 200, 'Rex', key]],
  },
  {
    title: 'a new required parameter',
    edits: [
      {
        at: ['paths', '/user/logout', 'get', 'parameters'],
        to: [{ name: 'reason', in: 'query', required: true, schema: text }],
      },
    ],
    says: ['handlers/petstore/user.ts:N: logoutUser (specs/petstore.yaml:N) does not read reason'],
    asks: [['GET /petstore/user/logout', 400, 'reason']],
  },
  {
    title: 'a required property without a default',
    spec: 'ads',
    edits: [
      { at: schema('User', 'properties', 'agency'), to: text },
      { at: schema('User', 'required', 3), to: 'agency' },
    ],
    says: [
      'handlers/ads/demo.ts: items 1, 2, 3, 4 of users do not fit User (specs/ads.yaml:N) and are left out: ',
      '  handlers/ads/demo.ts:N error TS2741: ',
    ],
  },
];

/** Names of schemas and fields, and whole documents. */
const names: readonly EditCase[] = [
  {
    title: 'a schema that is called otherwise',
    renames: ['Order', 'Purchase'],
    says: [
      'handlers/petstore/collections.ts:N: The document has no schema Order. Operations that use orders answer 501.',
      '  handlers/petstore/collections.ts:N error TS',
      `handlers/petstore/store.ts:N does not fit placeOrder (specs/petstore.yaml:N). ${again}`,
      `handlers/petstore/store.ts:N does not fit getOrderById (specs/petstore.yaml:N). ${again}`,
      '  handlers/petstore/store.ts:N error TS',
      `handlers/petstore/demo.ts:N does not fit petstore (specs/petstore.yaml). ${again}`,
      '  handlers/petstore/demo.ts:N error TS',
    ],
    asks: [['GET /petstore/store/order/1', 501]],
  },
  {
    title: 'a field that is gone, and that items are found by',
    edits: [
      { at: schema('Tag', 'properties', 'name') },
      { at: schema('Tag', 'properties', 'label'), to: text },
    ],
    says: [
      'handlers/petstore/collections.ts:N: The schema of pets has no field tags.name, so that nothing is found by it.',
      `handlers/petstore/pet.ts:N does not fit findPetsByTags (specs/petstore.yaml:N). ${again}`,
      '  handlers/petstore/pet.ts:N error TS',
    ],
    asks: [['GET /petstore/pet/1', 200, 'Bello', key]],
  },
  {
    title: 'a new document with the base path of another',
    files: {
      'specs/zoo.yaml': `openapi: 3.0.3
info: { title: Zoo, version: '1' }
paths:
  /animals: { get: { operationId: findAnimals, responses: { '200': { description: Animals } } } }
servers: [{ url: /petstore }]
`,
    },
    startSays: [
      'zoo: there are no handlers in dist/handlers/zoo: all 1 operations are mocked, and any credential is accepted',
    ],
    devSays: [
      'zoo: there are no handlers in handlers/zoo: all 1 operations are mocked, and any credential is accepted',
    ],
    asks: [
      ['GET /zoo/animals', 200],
      ['GET /petstore/pet/1', 200, 'Bello', key],
    ],
  },
];

/** Files that go, and handlers that cannot be loaded. */
const files: readonly EditCase[] = [
  {
    title: 'a document that is gone',
    files: { 'specs/ads.yaml': null },
    startSays: ['dist/handlers/ads: no document ads is served, so that its handlers are not used'],
    devSays: ['handlers/ads: no document ads is served, so that its handlers are not used'],
    asks: [['GET /ads/openapi.json', 404]],
  },
  {
    title: 'a handler module that fails',
    prepends: { 'handlers/petstore/store.ts': "throw new Error('It fails');\n" },
    startSays: [
      'handlers/petstore/store.ts cannot be loaded: It fails. The 19 operations of petstore answer 501',
    ],
    devSays: ['handlers/petstore/store.ts:N error: It fails'],
    asks: [['GET /petstore/pet/1', 401, '', { token: 'anything' }]],
    asksAfterStart: [['GET /petstore/store/order/1', 501]],
  },
];

/** Faults: each document is decided for itself, and the types of one that was good stay. */
const faults: readonly EditCase[] = [
  {
    title: 'a document that cannot be read',
    prepends: { 'specs/ads.yaml': 'broken: [\n' },
    says: ['specs/ads.yaml:N error: '],
    startSays: [
      'specs/ads.yaml:N error: ',
      'dist/handlers/ads: no document ads is served, so that its handlers are not used',
    ],
    asksAfterStart: [['GET /ads/openapi.json', 404]],
    asksInDev: [['GET /ads/openapi.json', 200]],
  },
  {
    title: 'a new document with an operation that cannot be served',
    files: {
      'specs/holes.yaml': `openapi: 3.0.3
info: { title: Holes, version: '1' }
servers: [{ url: /holes }]
paths:
  /a: { get: { operationId: a, responses: { '200': { description: OK } } } }
  /b: { get: { operationId: b, responses: { '200': { content: { text/plain: { schema: { type: sting } } } } } } }
`,
    },
    says: ['specs/holes.yaml:N error: ', 'holes: there are no handlers in '],
    asks: [
      ['GET /holes/a', 200],
      ['GET /holes/b', 501],
    ],
  },
  {
    title: 'a type that is misspelt',
    edits: [{ at: schema('Order', 'properties', 'gift'), to: { type: 'sting' } }],
    says: ['specs/petstore.yaml:N error: '],
    startSays: [
      'specs/petstore.yaml:N error: ',
      'handlers/petstore/demo.ts: items 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 of orders do not fit Order (specs/petstore.yaml:N) and are left out: ',
    ],
    asks: [['GET /petstore/pet/1', 200, 'Bello', key]],
    asksAfterStart: [['GET /petstore/store/order/1', 501]],
    asksInDev: [['GET /petstore/store/order/1', 200]],
  },
];

/** Edits that are made at once: none of them touches what another is asked about. */
export const rounds: readonly (readonly [title: string, cases: readonly EditCase[]])[] = [
  // The first: what is kept of a document with faults is its last good version.
  ['faults', faults],
  ['edits that need no code, and operations', free],
  ['messages', messages],
  ['values', values],
  ['names', names],
  ['files', files],
];
