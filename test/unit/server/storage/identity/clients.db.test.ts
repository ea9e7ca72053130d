import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type ClientStorage,
  knexClients,
} from '../../../../../src/server/storage/identity/clients';
import { openTemporaryDatabase, type TemporaryDatabase } from '../temporary-database';

let file: TemporaryDatabase;
let clients: ClientStorage;

beforeAll(async () => {
  file = await openTemporaryDatabase();
  clients = knexClients(file.db, 'petstore');
});

afterAll(() => file.remove());

test('a client is registered once, found, listed and removed in its service', async () => {
  const shop = {
    clientId: 'shop',
    name: 'The Shop',
    redirectUris: ['https://shop.example/callback', 'http://127.0.0.1:3000/?a=b,c'],
  };
  const till = { clientId: '__proto__', name: 'Till', redirectUris: ['https://till.example/'] };
  expect(await clients.add(shop)).toBe(true);
  expect(await clients.add({ ...till, clientId: 'shop' })).toBe(false);
  expect(await clients.add(till)).toBe(true);
  expect(await clients.find('shop')).toEqual(shop);
  expect(await clients.list()).toEqual([till, shop]);
  expect(await knexClients(file.db, 'ads').find('shop')).toBeUndefined();
  expect(await clients.remove('shop')).toBe(true);
  expect(await clients.remove('shop')).toBe(false);
  expect(await clients.find('shop')).toBeUndefined();
});
