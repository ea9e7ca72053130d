import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiDocument, schemaContext } from '../../../../src/engine';
import { seedIdentity } from '../../../../src/server/demo-data';
import { createIdentity } from '../../../../src/server/identity/identity';
import { scryptPasswords } from '../../../../src/server/identity/password';
import { loadDocuments } from '../../../../src/server/services/documents';
import { loadHandlerModules } from '../../../../src/server/services/handler-modules';
import { itemSchemas } from '../../../../src/server/services/item-schemas';
import {
  closeDatabase,
  type Database,
  openDatabase,
} from '../../../../src/server/storage/database/database';
import { knexApiKeys } from '../../../../src/server/storage/identity/api-keys';
import { type IdentifiedUser, knexAccounts } from '../../../../src/server/storage/identity/users';
import { openServiceStorage } from '../../../../src/server/storage/storage';
import { emptyTables } from '../../../support/tables';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/temporary-database';

const passwords = scryptPasswords(4);
const client = { address: '::1', secure: false };
const request = { ...client, method: 'GET', headers: {} };

let file: TemporaryDatabase;

beforeAll(async () => {
  file = await openTemporaryDatabase();
});

afterEach(() => emptyTables(file.db));

afterAll(() => file.remove());

/** A service as the server opens it. */
const serviceOf = async (db: Database, document: ApiDocument) => {
  const { name } = document;
  const modules = await loadHandlerModules('handlers', name);
  const storage = await openServiceStorage(db, {
    service: name,
    ...modules,
    schemaOf: itemSchemas(document, schemaContext(document)),
    fileUrl: (id) => id,
  });
  // The demo data is checked against the document's types where it is written.
  const demo = modules.demo as Readonly<Record<string, readonly IdentifiedUser[]>>;
  return { name, storage, demo };
};

const seed = async (db: Database) => {
  const { documents } = await loadDocuments('specs', { authUrlOf: (basePath) => basePath });
  const services = await Promise.all(documents.map((document) => serviceOf(db, document)));
  return seedIdentity(services, db, passwords, () => 0);
};

const usersOf = async (service: string) => {
  const { documents } = await loadDocuments('specs', { authUrlOf: (basePath) => basePath });
  const document = documents.find(({ name }) => name === service);
  if (!document) throw new Error(`specs has no ${service}`);
  const { users } = (await serviceOf(file.db, document)).storage;
  if (users === undefined) throw new Error(`${service} has no users`);
  return users;
};

describe('seedIdentity', () => {
  test.each([
    ['petstore', { id: 1n, firstName: 'Dominique', userStatus: 1 }],
    ['ads', { isAgent: true }],
  ])('in %s one can log in as demo and use the demo key', async (name, properties) => {
    expect(await seed(file.db)).toBe(true);
    const { identity, securityHandlers } = createIdentity(
      { name, basePath: `/${name}` },
      { db: file.db, passwords, tokenTtlSeconds: 60, rateLimitPerHour: 9, clock: () => 0 },
    );
    expect(await identity.signIn('demo', 'demo-password', client)).toBeDefined();
    expect(await securityHandlers.apiKey?.('special-key', request)).toBeDefined();
    expect(await (await usersOf(name)).find('demo')).toMatchObject({
      username: 'demo',
      ...properties,
    });
  });

  test('an ad service user has what its schema declares and nothing else', async () => {
    await seed(file.db);
    expect(await (await usersOf('ads')).find('user1')).toEqual({
      username: 'user1',
      isAgent: false,
    });
  });

  test('nobody can sign in as the further users', async () => {
    await seed(file.db);
    for (const { username, passwordHash } of await knexAccounts(file.db, 'petstore').list()) {
      expect([username, passwordHash !== undefined]).toEqual([username, username === 'demo']);
    }
  });

  test('happens once, also when two processes start together', async () => {
    const second = await openDatabase(file.url);
    const seeded = await Promise.all([seed(file.db), seed(second)]);
    expect([...seeded].sort()).toEqual([false, true]);
    expect(await seed(second)).toBe(false);
    expect(await knexAccounts(second, 'petstore').list()).toHaveLength(4);
    await closeDatabase(second);
  });

  test('leaves a database alone that has a user of its own', async () => {
    await (await usersOf('ads')).add([{ user: { username: 'ann' }, passwordHash: undefined }]);
    expect(await seed(file.db)).toBe(false);
    expect(await knexApiKeys(file.db, 'petstore').list()).toEqual([]);
  });

  test('does not come back when all that it made was taken away', async () => {
    await seed(file.db);
    for (const service of ['petstore', 'ads']) {
      const users = await usersOf(service);
      for (const { username } of await knexAccounts(file.db, service).list()) {
        await users.remove(username);
      }
      await knexApiKeys(file.db, service).revoke('demo', 1);
    }
    expect(await seed(file.db)).toBe(false);
  });
});
