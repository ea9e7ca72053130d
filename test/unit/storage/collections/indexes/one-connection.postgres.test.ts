import { expect, test } from '@jest/globals';
import { closeDatabase, openDatabase } from '../../../../../src/storage/database/database';
import { useNewDatabases } from '../../../../support/new-database';
import { collectionOf, openStorage } from '../../../../support/open-storage';

const newUrl = useNewDatabases();

test('an item is inserted while an index is filled where there is a single connection', async () => {
  const db = await openDatabase(await newUrl(), { connections: 1 });
  const plain = await openStorage(db, 'filling', { things: { schema: 'Thing' } });
  await plain.transaction(async ({ things }) => {
    for (let id = 1n; id <= 450n; id += 1n) await things?.insert({ id, kind: 'old' });
  });
  const declared = { things: { schema: 'Thing', lookups: ['kind'] } };
  const filling = await openStorage(db, 'filling', declared);
  expect(filling.maintenance).not.toEqual([]);
  await collectionOf<object>(filling, 'things').insert({ id: 500n, kind: 'new' });
  expect(await collectionOf<object>(filling, 'things').get(500n)).toBeDefined();
  await closeDatabase(db);
});
