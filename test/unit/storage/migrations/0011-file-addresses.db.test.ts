/** Addresses of files that an earlier version stored in full, after an update. */

import { expect, test } from '@jest/globals';
import { closeDatabase, openDatabase } from '../../../../src/storage/database/database';
import { useNewDatabases } from '../../../support/new-database';
import { makeEarlier } from './make-earlier';

const newUrl = useNewDatabases();

const file = '0a9e7c1e-0000-4000-8000-000000000001';
const other = '0a9e7c1e-0000-4000-8000-000000000002';
const unknown = '0a9e7c1e-0000-4000-8000-000000000003';

const at = (id: string): string => `http://old.example:8080/store/files/${id}`;
const kept = (id: string): string => `\\/files\\/${id}`;

/** What an item said, and what it says after the update. */
const cases: readonly (readonly [collection: number, before: string, after: string])[] = [
  [1, `{"photoUrls":["${at(file)}"]}`, `{"photoUrls":["${kept(file)}"]}`],
  [1, `{"photoUrls":["https://x/files/${file}","b"]}`, `{"photoUrls":["${kept(file)}","b"]}`],
  [1, `["${at(unknown)}","${at(file)}?size=1"]`, `["${at(unknown)}","${at(file)}?size=1"]`],
  [1, `["${at(other)}","/files/${file}"]`, `["${at(other)}","/files/${file}"]`],
  [1, `["see \\"${at(file)}\\""]`, `["see \\"${at(file)}\\""]`],
  [2, `["${at(file)}"]`, `["${at(file)}"]`],
  [3, `["${at(file)}","${at(other)}"]`, `["${at(file)}","${kept(other)}"]`],
  // More than are read at once.
  ...Array.from({ length: 1100 }, () => [1, `["${at(file)}"]`, `["${kept(file)}"]`] as const),
];

const fileOf = (id: string, service: string, collection: number) => ({
  ...{ id, service, collection, item_id: '1', media_type: 'image/png' },
  bytes: Buffer.from('bytes'),
});

test('the addresses of files of the service are stored by their ids, and no others', async () => {
  const url = await newUrl();
  await makeEarlier(url, '0010-collections', {
    item_files: [fileOf(file, 'store', 1), fileOf(other, 'another', 3)],
  });
  const items = cases.map(([collection, document], index) => ({
    ...{ collection, id: index, document, format: '' },
  }));
  for (let from = 0; from < items.length; from += 100) {
    await makeEarlier(url, '0010-collections', { items: items.slice(from, from + 100) });
  }
  const db = await openDatabase(url);
  const rows = await db.knex('items').orderBy('id').select('document');
  await closeDatabase(db);
  expect(rows.map(({ document }) => document)).toEqual(cases.map(([, , after]) => after));
});
