/** The pages where the server fails: users see a page, the log the cause. */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { type RunningServer, startServer } from '../../src/server/server';
import { closeDatabase, openDatabase } from '../../src/storage/database/database';
import { askAt } from '../support/ask';
import { authorizeTarget, tokenRequest } from '../support/authorize';
import { expectError } from '../support/error-body';
import { useNewDatabases } from '../support/new-database';
import { testConfig } from '../support/start';

const newDatabase = useNewDatabases();
const lines: string[] = [];
let server: RunningServer;

beforeAll(async () => {
  const url = await newDatabase();
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
  server = await startServer(testConfig({ DATABASE_URL: url }), { log });
  const db = await openDatabase(url);
  await db.knex.schema.dropTable('clients');
  await closeDatabase(db);
});

afterAll(() => server.stop());

test('users see a page that gives nothing away, in their language', async () => {
  const headers = { 'Accept-Language': 'fr' };
  const page = await askAt(server.origin)(`GET ${authorizeTarget(tokenRequest)}`, { headers });
  expect([page.status, page.headers['content-type']]).toEqual([500, 'text/html; charset=utf-8']);
  expect(page.text).toContain('Le serveur n’a pas pu traiter la demande.');
  expect(page.text).not.toContain('clients');
  expect(lines.filter((line) => line.includes('clients'))).toHaveLength(1);
});

test('clients get the error body of the service', async () => {
  const answered = await askAt(server.origin)('POST /petstore/oauth/revoke', {
    type: 'application/x-www-form-urlencoded',
    body: 'client_id=shop&token=x',
  });
  await expectError(answered, 500);
});
