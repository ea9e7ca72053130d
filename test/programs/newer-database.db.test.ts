/** A database of a newer version: the server and the admin program say so in one sentence, and leave it as it is. */

import { expect, test } from '@jest/globals';
import { closeDatabase, openDatabase } from '../../src/storage/database/database';
import { useNewDatabases } from '../support/new-database';
import { useProgram } from '../support/program';

const program = useProgram();
const newUrl = useNewDatabases();

test('is refused by the start and by every command, with both last migrations', async () => {
  const DATABASE_URL = await newUrl();
  const db = await openDatabase(DATABASE_URL);
  await db.knex('knex_migrations').insert({ name: '9999-later', batch: 2 });
  await closeDatabase(db);
  const reason =
    /it was written by a newer version of this program \(migration 9999-later; version \d+\.\d+\.\d+ ends with \d{4}-[\w-]+\), so run that version\.\n$/;
  const sentence = expect.stringMatching(RegExp(`^The database [^\\n]*${reason.source}`));
  const { fail, admin } = program();
  const list = ['user', 'list', '--service', 'petstore'];
  const ended = await Promise.all([
    fail({ DATABASE_URL }),
    admin({ DATABASE_URL }, ...list),
    admin({ DATABASE_URL }, 'migrate'),
    admin({ DATABASE_URL }, 'migrate', '--plan'),
  ]);
  const out = /^For version \S+ the database is newer, its last migration 9999-later\.\n$/;
  expect(ended).toEqual([
    ...Array.from({ length: 3 }, () => ({ exitCode: 1, out: '', err: sentence })),
    { exitCode: 1, out: expect.stringMatching(out), err: sentence },
  ]);
});
