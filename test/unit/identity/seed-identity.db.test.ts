/** The demo users; end-to-end tests sign in as one of them. */

import { afterEach, describe, expect, test } from '@jest/globals';
import { type ApiDocument, schemaContext } from '../../../src/engine';
import { demoInForce, seedDemoData, seedIdentity } from '../../../src/host/demo-data';
import { loadDocuments, servedDocuments } from '../../../src/host/documents';
import { itemSchemas } from '../../../src/host/item-schemas';
import { loadHandlerModules } from '../../../src/host/module-loader';
import { scryptPasswords } from '../../../src/identity/password';
import type { Database } from '../../../src/storage/database/database';
import { knexApiKeys } from '../../../src/storage/identity/api-keys';
import { type IdentifiedUser, knexAccounts } from '../../../src/storage/identity/users';
import { fileSettings, openFilledStorage } from '../../support/open-storage';
import { emptyTables } from '../../support/tables';
import { useTemporaryDatabase } from '../storage/temporary-database';

const passwords = scryptPasswords(4);

const file = useTemporaryDatabase();

afterEach(() => emptyTables(file.db));

/** A service as the server opens it. */
const serviceOf = async (db: Database, document: ApiDocument) => {
  const { name } = document;
  const modules = await loadHandlerModules('handlers', name);
  const storage = await openFilledStorage(db, {
    service: name,
    ...modules,
    accounts: modules.accounts || undefined,
    schemaOf: (one) => itemSchemas(document, schemaContext(document))(one),
    files: fileSettings,
  });
  // The demo data is checked against the document's types where it is written.
  const demo = modules.demo as Readonly<Record<string, readonly IdentifiedUser[]>>;
  return { name, storage, demo, failed: modules.failed };
};

const servicesOf = async (db: Database) => {
  const states = await loadDocuments(['specs'], { authUrlOf: (basePath) => basePath });
  return Promise.all(servedDocuments(states).map((document) => serviceOf(db, document)));
};

const seed = async (db: Database) => seedIdentity(await servicesOf(db), db, passwords, () => 0);

const usersOf = async (service: string) => {
  const found = (await servicesOf(file.db)).find(({ name }) => name === service);
  if (found?.storage.users === undefined) throw new Error(`${service} has no users`);
  return found.storage.users;
};

describe('seedIdentity', () => {
  test('only the demo user can sign in', async () => {
    await seed(file.db);
    for (const { username, passwordHash } of await knexAccounts(file.db, 'petstore').list()) {
      expect([username, passwordHash !== undefined]).toEqual([username, username === 'demo']);
    }
  });

  test('happens once, also when two processes start together', async () => {
    const second = await file.openAnother();
    const seeded = await Promise.all([seed(file.db), seed(second)]);
    expect([...seeded].sort()).toEqual([false, true]);
    expect(await seed(second)).toBe(false);
    expect(await knexAccounts(second, 'petstore').list()).toHaveLength(4);
  });

  test('adds users that give an id before it is assigned to another', async () => {
    const services = await servicesOf(file.db);
    const users = [{ username: 'ann' }, { id: 1n, username: 'demo' }];
    const given = services.map((service) => ({ ...service, demo: { users } }));
    expect(await seedIdentity(given, file.db, passwords, () => 0)).toBe(true);
    const stored = await knexAccounts(file.db, 'petstore').list();
    expect(stored.map(({ username }) => username).toSorted()).toEqual(['ann', 'demo']);
  });

  test('leaves a database alone that has a user of its own', async () => {
    await (await usersOf('ads')).insert({ username: 'ann' });
    expect(await seed(file.db)).toBe(false);
    expect(await knexApiKeys(file.db, 'petstore').list()).toEqual([]);
  });

  test('waits for handlers that could not be loaded, and then adds what belongs to them', async () => {
    const [ads, ...others] = await servicesOf(file.db);
    if (ads === undefined) throw new Error('There is no service');
    const config = { passwordCost: 4 };
    const failed = { ...ads, demo: {}, failure: 'handlers/ads cannot be loaded' };
    await seedDemoData([failed, ...others], file.db, config, () => 0);
    expect(await knexAccounts(file.db, 'ads').list()).toEqual([]);
    expect(await seedDemoData([ads, ...others], file.db, config, () => 0)).toBeDefined();
    const users = await knexAccounts(file.db, 'ads').list();
    expect(users.map(({ username }) => username)).toContain('demo');
    expect(await knexApiKeys(file.db, 'ads').list()).toHaveLength(1);
  });

  test.each([
    [
      'the key is replaced',
      () =>
        knexApiKeys(file.db, 'ads').rotate({ label: 'demo', hash: 'h', createdAt: 1 }, 9999999999),
    ],
    ['the user is disabled', () => knexAccounts(file.db, 'ads').setDisabled('demo', 1)],
  ])('is offered no more in a service where %s', async (_, change) => {
    await seed(file.db);
    const services = [{ name: 'ads' }, { name: 'petstore' }];
    expect((await demoInForce(services, file.db)).services).toEqual(['ads', 'petstore']);
    expect(await change()).toBe(true);
    expect((await demoInForce(services, file.db)).services).toEqual(['petstore']);
  });

  test('does not come back when all that it made was taken away', async () => {
    await seed(file.db);
    for (const service of ['petstore', 'ads']) {
      const users = await usersOf(service);
      for (const { username } of await knexAccounts(file.db, service).list()) {
        await users.delete(username);
      }
      await knexApiKeys(file.db, service).revoke('demo', 1);
    }
    expect(await seed(file.db)).toBe(false);
  });
});
