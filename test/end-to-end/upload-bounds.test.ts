/** Uploads beyond what a pet and a user may have are refused, and leave everything as it was. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useServices } from '../support/services';

const services = useServices({ MAX_ITEM_FILES_BYTES: '20000', MAX_USER_FILES_BYTES: '50000' });
beforeEach(() => services().reset());

const upload = (pet: number, size: number, options: { token?: string; accept?: string } = {}) => {
  const { ask, petToken } = services();
  const body = Buffer.alloc(size, 7);
  const type = 'application/octet-stream';
  return ask(`POST /petstore/pet/${pet}/uploadImage`, { token: petToken, type, body, ...options });
};

const photosOf = async (pet: number): Promise<readonly string[]> => {
  const { text } = await services().ask(`GET /petstore/pet/${pet}`, { key: 'special-key' });
  const { photoUrls }: { photoUrls: string[] } = JSON.parse(text);
  return photoUrls;
};

const ofPet = 'Quota exceeded: at most 20000 bytes of files per item';
const ofUser = 'Quota exceeded: at most 50000 bytes of files per user';

describe('an upload', () => {
  test('beyond the bound of a pet is refused, and the earlier files are still there', async () => {
    expectOk(await upload(1, 12_000));
    const before = await photosOf(1);
    await expectError(await upload(1, 8001), 413, ofPet);
    expect(await photosOf(1)).toEqual(before);
    const [url = ''] = before.slice(-1);
    expect((await services().ask(`GET ${new URL(url).pathname}`)).bytes).toHaveLength(12_000);
    expect(await services().db.knex('item_files').select('id')).toHaveLength(1);
    expectOk(await upload(1, 8000));
    expectOk(await upload(2, 20_000));
  });

  test('beyond the bound of a user is refused, whichever the pet; others have theirs', async () => {
    expectOk(await upload(1, 20_000));
    expectOk(await upload(2, 20_000));
    const before = await photosOf(3);
    await expectError(await upload(3, 10_001), 413, ofUser);
    expect(await photosOf(3)).toEqual(before);
    const { ask, grant, login } = services();
    const scopes = ['write:pets', 'read:pets'];
    const ann = { username: 'ann', password: 'secret-of-ann' };
    expectOk(await ask('POST /petstore/user', { token: login.petstore, body: ann }));
    const token = await grant({ service: 'petstore', user: 'ann', scopes });
    expectOk(await upload(3, 10_001, { token }));
    expectOk(await upload(4, 10_000));
    await expectError(await upload(4, 1), 413, ofUser);
    const [url = ''] = (await photosOf(1)).slice(-1);
    expectOk(await ask('DELETE /petstore/pet/1', { token: services().petToken }));
    expect((await ask(`GET ${new URL(url).pathname}`)).status).toBe(404);
    expectOk(await upload(4, 1));
  });

  test('has room again when the pet names a file no longer', async () => {
    const { ask, petToken: token } = services();
    expectOk(await upload(1, 20_000));
    await expectError(await upload(1, 1), 413, ofPet);
    const pet = { id: 1, name: 'Rex', photoUrls: [] };
    expectOk(await ask('PUT /petstore/pet', { token, body: pet }));
    expectOk(await upload(1, 20_000));
  });

  test('is refused in the format that the caller likes best', async () => {
    const accept = 'application/json;q=0.5, application/xml';
    const refused = await upload(1, 20_001, { accept });
    expect(refused.headers['content-type']).toMatch(/^application\/xml/);
    await expectError(refused, 413, ofPet);
  });
});
