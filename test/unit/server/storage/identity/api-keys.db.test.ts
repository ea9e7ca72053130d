import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type ApiKeyStorage,
  knexApiKeys,
} from '../../../../../src/server/storage/identity/api-keys';
import { openTemporaryDatabase, type TemporaryDatabase } from '../temporary-database';

let file: TemporaryDatabase;
let keys: ApiKeyStorage;

beforeAll(async () => {
  file = await openTemporaryDatabase();
  keys = knexApiKeys(file.db, 'petstore');
});

beforeEach(async () => {
  await file.db.knex('api_keys').delete();
  await keys.add({ label: 'till', hash: 'digest', createdAt: 1_700_000_000_000 });
});

afterAll(() => file.remove());

const till = {
  label: 'till',
  hash: 'digest',
  createdAt: 1_700_000_000_000,
  revokedAt: undefined,
};

describe('knexApiKeys', () => {
  test('finds a key by its digest', async () => {
    expect(await keys.findActive('digest')).toEqual(till);
    expect(await keys.findActive('other')).toBeUndefined();
  });

  test('a label is used once, if only by a revoked key', async () => {
    expect(await keys.add({ label: 'till', hash: 'other', createdAt: 0 })).toBe(false);
    await keys.revoke('till', 1);
    expect(await keys.add({ label: 'till', hash: 'other', createdAt: 0 })).toBe(false);
  });

  test('a revoked key is listed, but no longer good', async () => {
    expect(await keys.revoke('till', 1_700_000_000_001)).toBe(true);
    expect(await keys.revoke('till', 1_700_000_000_002)).toBe(false);
    expect(await keys.revoke('unknown', 1)).toBe(false);
    expect(await keys.findActive('digest')).toBeUndefined();
    expect(await keys.list()).toEqual([{ ...till, revokedAt: 1_700_000_000_001 }]);
  });

  test('another service has keys of its own', async () => {
    const others = knexApiKeys(file.db, 'ads');
    expect(await others.findActive('digest')).toBeUndefined();
    expect(await others.revoke('till', 1)).toBe(false);
    expect(await others.add({ label: 'till', hash: 'digest', createdAt: 0 })).toBe(true);
    expect(await others.list()).toHaveLength(1);
  });
});
