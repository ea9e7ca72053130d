/** Items that were stored under a former document, read and changed under today's. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseApiDocument, schemaContext } from '../../../src/engine';
import { itemSchemas } from '../../../src/host/item-schemas';
import { closeDatabase, type Database, openDatabase } from '../../../src/storage/database/database';
import type { ServiceStorage } from '../../../src/storage/storage';
import { useNewDatabases } from '../../support/new-database';
import { collectionOf, fileSettings, openFilledStorage } from '../../support/open-storage';
import { readPages, readSerialized } from '../../support/read-serialized';
import { storedItems } from '../../support/stored-items';

const newUrl = useNewDatabases();
let db: Database;
beforeAll(async () => {
  db = await openDatabase(await newUrl());
});
afterAll(() => closeDatabase(db));

interface Item {
  readonly id: bigint;
  readonly [name: string]: unknown;
}

const int64 = { type: 'integer', format: 'int64' };
const text = { type: 'string' };

/** A document whose schema Thing has these properties, beside an id and a user name. */
const documentOf = (properties: object, required: readonly string[] = []) =>
  parseApiDocument(
    'specs/things.yaml',
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Things', version: '1' },
      paths: {},
      components: {
        schemas: {
          Thing: {
            type: 'object',
            required,
            properties: { id: int64, username: text, ...properties },
          },
        },
      },
    }),
  );

type Document = ReturnType<typeof documentOf>;

/** The collections of the invalid items that were read. */
let reported: string[] = [];

/** Opens the storage under a document. */
const openUnder = (
  service: string,
  document: Document,
  listsInvalid = false,
): Promise<ServiceStorage> =>
  openFilledStorage(db, {
    service,
    collections: { things: { schema: 'Thing', lookups: ['kind'], counts: ['kind'] } },
    accounts: { schema: 'Thing' },
    schemaOf: (declaration, name) =>
      itemSchemas(document, schemaContext(document), { listsInvalid })(
        declaration,
        () => void reported.push(name),
      ),
    files: fileSettings,
  });

test('a new item gets the defaults of what it leaves out, and is found by them', async () => {
  const inner = { type: 'object', properties: { size: { ...int64, default: 7 }, note: text } };
  const document = documentOf(
    {
      kind: { ...text, default: 'plain' },
      price: { type: 'number', default: 0 },
      inner,
      list: { type: 'array', items: inner },
      other: { ...inner, default: { note: 'none' } },
    },
    ['id', 'kind'],
  );
  const storage = await openUnder('defaults', document);
  const things = thingsOf(storage);
  const cases: readonly (readonly [object, object])[] = [
    [{}, { kind: 'plain', price: 0, other: { size: 7n, note: 'none' } }],
    [
      { kind: undefined, inner: {}, other: {} },
      { kind: 'plain', price: 0, inner: { size: 7n }, other: { size: 7n } },
    ],
    [
      { kind: 'own', price: '0.1234567890123456789', list: [{}, { size: 2n ** 62n }], other: {} },
      {
        ...{
          kind: 'own',
          price: '0.1234567890123456789',
          list: [{ size: 7n }, { size: 2n ** 62n }],
        },
        ...{ other: { size: 7n } },
      },
    ],
  ];
  for (const [at, [given, wanted]] of cases.entries()) {
    const item = { id: BigInt(at + 1), ...wanted };
    expect(await readSerialized(things.insert(given as Item))).toEqual(item);
    expect(await readSerialized(things.get(item.id))).toEqual(item);
  }
  expect((await readPages(things.find('kind', ['plain']))).map(({ id }) => id)).toEqual([1n, 2n]);
  expect(await things.count('kind')).toEqual({ plain: 2, own: 1 });
});

const thingsOf = (storage: ServiceStorage) => collectionOf<Item>(storage, 'things');
const listed = (storage: ServiceStorage) => readPages(thingsOf(storage).list());

const before = documentOf({ kind: text, note: text, inner: { type: 'object', properties: {} } });
const stored: Item = { id: 1n, kind: 'a', note: 'kept', inner: {} };

/** Stores under the former document, and opens under another. */
const reopened = async (
  service: string,
  after: Document,
  items: readonly Item[] = [stored],
  listsInvalid = false,
): Promise<ServiceStorage> => {
  const storage = await openUnder(service, before);
  for (const item of items) await thingsOf(storage).insert(item);
  await storage.users?.insert({ ...stored, username: 'u' });
  return openUnder(service, after, listsInvalid);
};

const fitting: readonly {
  readonly title: string;
  readonly after: Document;
  readonly reads: Item;
  readonly kinds?: Record<string, number>;
}[] = [
  {
    title: 'fills in a default',
    after: documentOf({ kind: text, note: text, size: { type: 'integer', default: 3 } }, ['size']),
    reads: { id: 1n, kind: 'a', note: 'kept', size: 3 },
  },
  {
    title: 'fills in a default within an object',
    after: documentOf({
      kind: text,
      inner: { type: 'object', properties: { deep: { ...int64, default: 7 } } },
    }),
    reads: { id: 1n, kind: 'a', inner: { deep: 7n } },
  },
  {
    title: 'leaves out what is declared no longer',
    after: documentOf({ kind: text }),
    reads: { id: 1n, kind: 'a' },
  },
];

describe.each(fitting)('an item of a former document $title', ({ title, after, reads }) => {
  test('in a single read, in lists, in searches, and for who changes it', async () => {
    const storage = await reopened(title, after);
    const things = thingsOf(storage);
    expect(await readSerialized(things.get(1n))).toEqual(reads);
    expect(await listed(storage)).toEqual([reads]);
    expect(await readPages(things.find('kind', ['a']))).toEqual([reads]);
    let given: Item | undefined;
    await things.update(1n, (old) => {
      given = old;
      return old;
    });
    expect(given).toEqual(reads);
  });
});

test('a user of a former document is read by today’s, and stays as it is stored', async () => {
  const after = documentOf({ kind: text, size: { type: 'integer', default: 3 } });
  const storage = await openUnder('users', documentOf({ kind: text, note: text }));
  await storage.users?.insert({ ...stored, username: 'u', note: 'n' } as object, 'hash');
  const { users } = await openUnder('users', after);
  expect(await readSerialized(users?.get('u'))).toEqual({
    id: 1n,
    kind: 'a',
    username: 'u',
    size: 3,
  });
  const [row] = await db.knex('users').where({ service: 'users' });
  expect(row).toMatchObject({ username: 'u', username_key: 'u', password_hash: 'hash' });
  // What is declared no longer stays.
  expect(JSON.parse(row.document)).toMatchObject({ note: 'n' });
});

test('a default that is filled in is found and counted once its item is changed', async () => {
  const kinds = documentOf({ kind: { type: 'string', default: 'usual' } });
  const storage = await reopened('kinds', kinds, [stored, { id: 2n }]);
  const things = thingsOf(storage);
  expect(await listed(storage)).toEqual([
    { id: 1n, kind: 'a' },
    { id: 2n, kind: 'usual' },
  ]);
  expect(await things.count('kind')).toEqual({ a: 1 });
  await things.update(2n, (old) => old);
  expect(await readPages(things.find('kind', ['usual']))).toEqual([{ id: 2n, kind: 'usual' }]);
  expect(await things.count('kind')).toEqual({ a: 1, usual: 1 });
});

test('taking a property out and putting it back loses nothing', async () => {
  await reopened('back', documentOf({ kind: text }));
  const storage = await openUnder('back', before);
  expect(await readSerialized(thingsOf(storage).get(1n))).toEqual(stored);
});

const invalid: readonly { readonly title: string; readonly after: Document }[] = [
  { title: 'another type', after: documentOf({ kind: { type: 'integer' } }) },
  { title: 'a value dropped', after: documentOf({ kind: { type: 'string', enum: ['b'] } }) },
  { title: 'a new required property', after: documentOf({ kind: text, must: text }, ['must']) },
];

describe.each(invalid)('an item that does not fit today’s document: $title', (edit) => {
  const mended = { id: 1n, kind: 'b', must: 'x' };
  const other: Item = { id: 2n, must: 'x' };

  test('is left out of lists, and its id is in the error', async () => {
    const storage = await reopened(edit.title, documentOf({ kind: text, must: text }), []);
    for (const item of [stored, other]) await thingsOf(storage).insert(item);
    const today = await openUnder(edit.title, edit.after);
    reported = [];
    await expect(thingsOf(today).get(1n)).rejects.toThrow(
      `${edit.title}/things/1: the stored item`,
    );
    await expect(today.users?.get('u')).rejects.toThrow(`${edit.title}/users/u: the stored item`);
    expect((await listed(today)).map(({ id }) => id)).toEqual([2n]);
    expect(await readPages(thingsOf(today).find('kind', ['a']))).toEqual([]);
    expect(reported).toEqual(['things', 'users', 'things', 'things']);
    const [row] = await storedItems(db, edit.title, 'things').where({ id: '1' });
    expect(JSON.parse(row.document)).toEqual({ id: 1, kind: 'a' });
  });

  test('is given to lists as it is, where they are to have it', async () => {
    const storage = await openUnder(edit.title, edit.after, true);
    reported = [];
    expect((await listed(storage)).map(({ id }) => id)).toEqual([1n, 2n]);
    expect(reported).toEqual(['things']);
  });

  test('may be mended, and is never changed into what does not fit', async () => {
    const storage = await openUnder(edit.title, edit.after);
    const things = thingsOf(storage);
    await expect(things.update(1n, (old) => old)).rejects.toThrow('does not fit the document');
    await expect(storage.users?.update('u', () => stored)).rejects.toThrow('does not fit');
    const isNumber = edit.title === 'another type';
    const fit = { ...mended, ...(isNumber && { kind: 5 }) };
    await things.update(1n, () => fit);
    await storage.users?.update('u', () => fit);
    expect(await readSerialized(things.get(1n))).toMatchObject({ id: 1n });
    expect(await readSerialized(storage.users?.get('u'))).toMatchObject({ id: 1n });
  });

  test('fits again when the document does', async () => {
    const storage = await reopened(`${edit.title} again`, edit.after);
    const back = await openUnder(`${edit.title} again`, before);
    expect(await listed(back)).toEqual([stored]);
    await thingsOf(storage).delete(1n);
    expect(await thingsOf(back).count('kind')).toEqual({});
  });
});

test('a text that cannot be read keeps no other from being served', async () => {
  await reopened('unreadable', before, [stored, { id: 2n }]);
  await db.knex('items').where({ document: '{"id":2}' }).update({ document: '{', format: 'x' });
  const today = await openUnder('unreadable', documentOf({ kind: text, more: text }));
  expect((await listed(today)).map(({ id }) => id)).toEqual([1n]);
});

describe('V40 under OpenAPI 3.1', () => {
  const properties = {
    id: int64,
    kind: { type: ['string', 'null'], enum: ['a', 'b', null] },
    size: { type: ['integer', 'null'], format: 'int64' },
    sort: { const: 'thing' },
    named: { $ref: '#/components/schemas/Name', maxLength: 3 },
    when: { type: ['integer', 'string'], format: 'int64' },
  };
  const modernDocument = (schemas: object) =>
    parseApiDocument(
      'specs/things.yaml',
      JSON.stringify({
        openapi: '3.1.2',
        info: { title: 'Things', version: '1' },
        paths: {},
        components: { schemas },
      }),
    );
  const modern = modernDocument({
    Thing: { type: 'object', required: ['id'], properties },
    Name: { type: 'string', default: 'me' },
  });
  const items: readonly Item[] = [
    { id: 1n, kind: 'a', size: 2n ** 62n, sort: 'thing', named: 'abc', when: 2n ** 62n },
    { id: 2n, kind: null, size: null, named: 'me', when: 'never' },
    { id: 3n, named: 'me' },
  ];
  const open = async (service: string) => {
    const storage = await openFilledStorage(db, {
      service,
      collections: {
        things: { schema: 'Thing', lookups: ['kind', 'sort', 'size'], counts: ['kind'] },
      },
      accounts: undefined,
      schemaOf: (one) =>
        itemSchemas(modern, schemaContext(modern), { validateResponses: true })(one),
      files: fileSettings,
    });
    return thingsOf(storage);
  };

  test('items are stored, found and counted', async () => {
    const things = await open('modern');
    for (const item of items) await things.insert(item);
    expect(await readPages(things.list())).toEqual(items);
    for (const item of items) expect(await readSerialized(things.get(item.id))).toEqual(item);
    expect(await readPages(things.find('sort', ['thing']))).toEqual([items[0]]);
    expect(await readPages(things.find('size', [2n ** 62n]))).toEqual([items[0]]);
    expect(await things.count('kind')).toEqual({ a: 1, b: 0 });
  });

  test.each([
    ['a value beside null', { kind: 'c' }, 'kind'],
    ['another constant', { sort: 'other' }, 'sort'],
    ['a sibling of a reference', { named: 'long' }, 'named'],
  ])('%s is not stored', async (title, wrong, at) => {
    const things = await open(title);
    await expect(things.insert({ id: 1n, ...wrong })).rejects.toThrow(at);
  });

  test('fields are found in tuples, and below patterns', () => {
    const document = modernDocument({
      Thing: {
        type: 'object',
        properties: {
          pair: { prefixItems: [{ enum: ['a', null] }, { const: 'b' }], items: false },
        },
        patternProperties: { '^x': text },
      },
    });
    const schemaOf = itemSchemas(document, schemaContext(document));
    const lookups = ['pair', 'x1', 'y1.z', 'pair.none'];
    const { missingFields, declaredValues } = schemaOf({ schema: 'Thing', lookups });
    expect(missingFields).toEqual(['y1.z', 'pair.none']);
    expect(declaredValues('pair')).toEqual(['a', 'b']);
  });

  test('the same text means something else under another version', async () => {
    const properties = { kind: { ...text, nullable: true } };
    const components = {
      schemas: { Thing: { type: 'object', properties: { id: int64, ...properties } } },
    };
    const head = { info: { title: 'Things', version: '1' }, paths: {}, components };
    const documentIn = (openapi: string) =>
      parseApiDocument('specs/things.yaml', JSON.stringify({ openapi, ...head }));
    const storage = await openUnder('meaning', documentIn('3.0.3'));
    await thingsOf(storage).insert({ id: 1n, kind: null });
    expect(await listed(storage)).toEqual([{ id: 1n, kind: null }]);
    expect(await listed(await openUnder('meaning', documentIn('3.1.2')))).toEqual([]);
  });

  test('what a document of 3.0 stored is read, also null', async () => {
    const nullable = { kind: { ...text, nullable: true }, size: { ...int64, nullable: true } };
    const storage = await openUnder('moved', documentOf(nullable));
    await thingsOf(storage).insert({ id: 1n, kind: null, size: 5n });
    const things = await open('moved');
    expect(await readPages(things.list())).toEqual([{ id: 1n, kind: null, size: 5n, named: 'me' }]);
  });
});
