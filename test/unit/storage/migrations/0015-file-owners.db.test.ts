/** Files of an earlier version, which are nobody's. */

import { expect, test } from '@jest/globals';
import { closeDatabase, openDatabase } from '../../../../src/storage/database/database';
import { useNewDatabases } from '../../../support/new-database';
import { collectionOf, fileSettings, openStorage, type Pet } from '../../../support/open-storage';
import { makeEarlier } from './make-earlier';

const newUrl = useNewDatabases();

test('files stay as they are, and count for their item alone', async () => {
  const url = await newUrl();
  const id = '00000000-0000-4000-8000-000000000001';
  const bytes = Buffer.alloc(9000, 7);
  const row = { id, service: 's', collection: 1, item_id: 1, media_type: 'image/png', bytes };
  await makeEarlier(url, '0014-identity', {
    collections: [{ key: 1, service: 's', name: 'pets' }],
    item_files: [row],
  });
  const db = await openDatabase(url);
  const bounds = { ...fileSettings, maxItemBytes: 14_000, maxOwnerBytes: 5000 };
  const storage = await openStorage(db, 's', { pets: { schema: 'Pet', files: true } }, {}, bounds);
  const pets = collectionOf<Pet>(storage, 'pets');
  await pets.insert({ id: 1n, name: 'Rex', photoUrls: [] });
  const attach = () => pets.attach(1n, new Uint8Array(1), (pet) => pet, 'user:ann');
  expect(await storage.findFile(id)).toMatchObject({ mediaType: 'image/png', bytes });
  expect(await attach()).toBeDefined();
  await expect(attach()).rejects.toMatchObject({ status: 413 });
  expect(await db.knex('item_files').orderBy('owner').distinct('owner').pluck('owner')).toEqual(
    expect.arrayContaining([null, 'user:ann']),
  );
  await closeDatabase(db);
});
