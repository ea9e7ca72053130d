/** Schemas that a service declares itself: validated, checked and migrated like those of its document. */

import { describe, expect, test } from '@jest/globals';
import { parseApiDocument, schemaContext } from '../../../src/engine';
import { itemSchemas } from '../../../src/host/item-schemas';
import { adminService } from '../../../src/server/admin/admin-context';
import { InvalidItem, UnusableSchema } from '../../../src/storage/collections/item-schema';
import { declarationFaults } from '../../../src/storage/storage';
import { collectionOf, fileSettings, openFilledStorage } from '../../support/open-storage';
import { readPages, readSerialized } from '../../support/read-serialized';
import { done, runIn } from '../server/admin/run-command';
import { useTemporaryDatabase } from '../storage/temporary-database';

const temporary = useTemporaryDatabase();

const documentOf = (openapi: string) =>
  parseApiDocument(
    'specs/shop.yaml',
    JSON.stringify({ openapi, info: { title: 'Shop', version: '1' }, paths: {} }),
  );

const properties = {
  id: { type: 'integer', format: 'int64' },
  key: { type: 'string', maxLength: 8 },
  times: { type: 'integer', format: 'int64', default: 1 },
  at: { type: 'string', format: 'date-time' },
};
const own = { type: 'object', required: ['key', 'times'], properties };

interface Answer {
  readonly id?: bigint;
  readonly key: string;
  readonly times?: bigint;
}

const declare = (schema: object) => ({
  answers: { schema, lookups: ['key'], counts: ['key'], sorts: ['times', 'at'] },
});

const openUnder = (service: string, schema: object, openapi = '3.0.3') => {
  const document = documentOf(openapi);
  return openFilledStorage(temporary.db, {
    service,
    collections: declare(schema),
    accounts: undefined,
    schemaOf: (one) => itemSchemas(document, schemaContext(document))(one),
    files: fileSettings,
  });
};

const answersOf = (storage: Awaited<ReturnType<typeof openUnder>>) =>
  collectionOf<Answer>(storage, 'answers');

test('items of a schema of its own are filled in, found, sorted and counted', async () => {
  const answers = answersOf(await openUnder('kept', own));
  expect(await readSerialized(answers.insert({ key: 'a' }))).toEqual({
    id: 1n,
    key: 'a',
    times: 1n,
  });
  await answers.insert({ key: 'b', times: 2n ** 62n });
  expect(await readPages(answers.find('key', ['b']))).toEqual([
    { id: 2n, key: 'b', times: 2n ** 62n },
  ]);
  const page = await answers.page({ order: '-times', where: { times: { gte: 1n } } });
  expect(page.items.map(({ key }) => key)).toEqual(['b', 'a']);
  expect(await answers.count('key')).toEqual({ a: 1, b: 1 });
});

test.each<[string, object]>([
  ['a text that is too long', { key: 'far too long' }],
  ['a missing property', {}],
  ['a value of another type', { key: 'a', times: 'many' }],
  ['a text that is no date-time', { key: 'a', at: 'soon' }],
])('%s is not stored', async (_, item) => {
  const answers = answersOf(await openUnder('refused', own));
  await expect(answers.insert(item as Answer)).rejects.toThrow(InvalidItem);
  expect(await answers.count({})).toBe(0);
});

test('it is written in the version of the document', async () => {
  const nullable = { ...own, properties: { ...properties, key: { type: ['string', 'null'] } } };
  const answers = answersOf(await openUnder('modern', nullable, '3.1.0'));
  const item = { id: 1n, key: null, times: 1n };
  expect(await readSerialized(answers.insert({ key: null } as never))).toEqual(item);
});

test('an edit of it is checked and migrated', async () => {
  const service = 'edited';
  const answers = answersOf(await openUnder(service, own));
  await answers.insert({ key: 'short' });
  await answers.insert({ key: 'eight888' });
  const stricter = { ...own, properties: { ...properties, key: { type: 'string', maxLength: 5 } } };
  const document = documentOf('3.0.3');
  const context = {
    services: [{ ...adminService(document, undefined, declare(stricter)), name: service }],
    database: async () => temporary.db,
    loadModule: async () => ({
      answers: (old: Answer) => ({ ...old, key: old.key.slice(0, 5) }),
    }),
  };
  expect(await runIn(context, ['data', 'check'])).toMatchObject({
    exitCode: 1,
    out: `${service}/answers: /key must be at most 5 characters long: 1 (ids 2)\n`,
  });
  const migrate = ['data', 'migrate', '--service', service, '--with', '/somewhere/shorten.ts'];
  expect(await runIn(context, migrate)).toEqual(done(`${service}/answers: 1 of 2 items changed\n`));
  expect(await runIn(context, ['data', 'check'])).toEqual(
    done('All 2 stored items fit the document.\n'),
  );
  const migrated = answersOf(await openUnder(service, stricter));
  expect(await readPages(migrated.find('key', ['eight']))).toHaveLength(1);
});

describe('a schema that cannot be used', () => {
  const faultsOf = (schema: object) => {
    const document = documentOf('3.0.3');
    const collections = declare(schema);
    const schemaOf = itemSchemas(document, schemaContext(document));
    return declarationFaults({ collections, accounts: undefined }, (one) => schemaOf(one));
  };

  test.each<[object, RegExp]>([
    [
      { ...own, properties: { ...properties, key: { type: 'sting' } } },
      /^\/properties\/key\/type: .*string/,
    ],
    [{ ...own, properties: { ...properties, key: { $ref: '#/none' } } }, /#\/none/],
    [{ ...own, maximum: 1n }, /BigInt/],
    [[], /./],
  ])('%# is told at the start', (schema, reason) => {
    const [fault] = faultsOf(schema);
    expect(fault).toMatchObject({ name: 'answers', reason: expect.stringMatching(reason) });
  });

  test('does not hold up others', async () => {
    const storage = await openUnder('unusable', { ...own, type: 'sting' });
    expect(() => answersOf(storage).list()).toThrow(UnusableSchema);
  });

  test('may only lack fields', () => {
    const { key: _, ...others } = properties;
    expect(faultsOf({ ...own, required: [], properties: others })).toMatchObject([
      { reason: undefined, missingFields: ['key'] },
    ]);
    const lists = { ...properties, times: { type: 'array', items: { type: 'string' } } };
    expect(faultsOf({ ...own, properties: lists })).toMatchObject([{ missingFields: ['times'] }]);
  });
});
