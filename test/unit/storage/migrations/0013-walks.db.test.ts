/** How far an earlier version had come with bringing items into the format and with data migrations, after an update. */

import { expect, test } from '@jest/globals';
import { closeDatabase, openDatabase } from '../../../../src/storage/database/database';
import { useNewDatabases } from '../../../support/new-database';
import { makeEarlier } from './make-earlier';

const newUrl = useNewDatabases();

const last = (2n ** 63n - 1n).toString();

test('walks go on where they were', async () => {
  const url = await newUrl();
  await makeEarlier(url, '0012-fitted-items', {
    collections: [
      { key: 1, service: 's', name: 'new', is_fitted: 0 },
      { key: 2, service: 's', name: 'begun', fitted_format: 'f', fitted_to: last, is_fitted: 0 },
      { key: 3, service: 's', name: 'done', fitted_format: 'f', fitted_to: null, is_fitted: 1 },
    ],
    data_migrations: [
      { collection: 2, name: 'rename.ts', migrated_to: last, is_complete: 0 },
      { collection: 3, name: 'rename.ts', migrated_to: '-1', is_complete: 1 },
    ],
  });
  const db = await openDatabase(url);
  const { knex } = db;
  const walks = await knex('walks')
    .orderBy(['collection', 'task'])
    .select('*', knex.raw('cast(walked_to as text) as walked_to'));
  const collections = await knex('collections').orderBy('key');
  await closeDatabase(db);
  const walk = (collection: string, task: string, to: string | null, isComplete: number) => ({
    ...{ service: 's', collection, task, format: task === '' ? 'f' : '' },
    ...{ walked_to: to, is_complete: isComplete },
  });
  expect(walks).toEqual([
    walk('begun', '', last, 0),
    walk('begun', 'rename.ts', last, 0),
    walk('done', '', null, 1),
    walk('done', 'rename.ts', '-1', 1),
  ]);
  expect(collections).toEqual(
    ['new', 'begun', 'done'].map((name, at) => ({ key: at + 1, service: 's', name })),
  );
});
