/** Uploading images: the bytes come back as they were, and no browser runs them. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/error-body';
import { expectOk } from '../support/expect-ok';
import { useServices } from '../support/services';

const limit = 100_000;
const services = useServices({ MAX_UPLOAD_BYTES: String(limit), MAX_BODY_BYTES: '2000' });
beforeEach(() => services().reset());

const bytes = 'application/octet-stream';
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const gif = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

/** Every byte, many times, none of it text. */
const allBytes = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7) % 256));

const upload = (target: string, body: Uint8Array, headers = {}) => {
  const { ask, petToken: token } = services();
  return ask(`POST /petstore/pet/${target}`, { token, type: bytes, body, headers });
};

const photosOf = async (id: number): Promise<readonly string[]> => {
  const pet = await services().ask(`GET /petstore/pet/${id}`, { key: 'special-key' });
  const { photoUrls }: { photoUrls: string[] } = JSON.parse(pet.text);
  return photoUrls;
};

const fetchPhoto = async (id: number) => {
  const url = (await photosOf(id)).at(-1) ?? '';
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/petstore\/files\/[\w-]{20,}$/);
  return services().ask(`GET ${new URL(url).pathname}`);
};

describe('what was uploaded', () => {
  test.each<[string, Buffer]>([
    ['image/png', png],
    ['image/gif', gif],
  ])('comes back byte for byte, shown in place where it is %s', async (type, image) => {
    const answered = await upload('1/uploadImage?additionalMetadata=Rex+at+the+beach', image);
    const message = `Rex at the beach, ${image.length} bytes`;
    expect(expectOk(answered)).toEqual({ code: 200, type, message });
    const photo = await fetchPhoto(1);
    expect(photo.status).toBe(200);
    expect(photo.bytes.equals(image)).toBe(true);
    expect(photo.headers).toMatchObject({
      'content-type': type,
      'content-length': String(image.length),
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
  });

  test.each<[string, Buffer]>([
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>a()</script></svg>')],
    ['a PDF', Buffer.from('%PDF-1.4\n1 0 obj\n<< >>\nendobj\n')],
    ['every byte there is', allBytes],
    ['as much as the limit allows', Buffer.alloc(limit, 7)],
  ])('%s comes back byte for byte, to be saved and not run', async (_, content) => {
    expect(expectOk(await upload('1/uploadImage', content))).toMatchObject({
      message: `${content.length} bytes`,
    });
    const photo = await fetchPhoto(1);
    expect(photo.bytes.equals(content)).toBe(true);
    expect(photo.headers).toMatchObject({
      'content-type': bytes,
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
    });
  });

  test('stands at an address that the pet gains after those it had, and goes with the pet', async () => {
    const { ask, petToken: token } = services();
    expectOk(await upload('1/uploadImage', png));
    expectOk(await upload('1/uploadImage', allBytes));
    const [first = '', second = '', ...more] = await photosOf(1);
    expect([more, first === second, await photosOf(2)]).toEqual([[], false, []]);
    expect((await ask(`GET ${new URL(first).pathname}`)).bytes.equals(png)).toBe(true);
    expectOk(await ask('DELETE /petstore/pet/1', { token }));
    await expectError(await ask(`GET ${new URL(first).pathname}`), 404);
  });

  test('goes when the pet names it no longer, and not before', async () => {
    const { ask, petToken: token } = services();
    await upload('3/uploadImage', png);
    await upload('3/uploadImage', gif);
    const photos = await photosOf(3);
    const [first = '', second = ''] = photos.slice(-2);
    const statuses = () =>
      Promise.all(
        [first, second].map(async (url) => (await ask(`GET ${new URL(url).pathname}`)).status),
      );
    const change = (photoUrls: readonly string[]) =>
      ask('PUT /petstore/pet', { token, body: { id: 3, name: 'Rex', photoUrls } });
    expectOk(await ask('POST /petstore/pet/3?name=Max', { token }));
    expectOk(await change([second, first, 'https://images.example.com/files/x.png']));
    expect(await statuses()).toEqual([200, 200]);
    expectOk(await change([second]));
    expect(await statuses()).toEqual([404, 200]);
    expectOk(await change([]));
    expect(await statuses()).toEqual([404, 404]);
  });

  test('is not found under another service or a made-up name', async () => {
    expectOk(await upload('1/uploadImage', png));
    const [url = ''] = await photosOf(1);
    const path = new URL(url).pathname;
    await expectError(await services().ask(`GET ${path.replace('petstore', 'ads')}`), 404);
    for (const id of ['1', '..%2F..%2Fpackage.json', '%00', '%27%20or%201=1--', 'x'.repeat(5000)]) {
      await expectError(await services().ask(`GET /petstore/files/${id}`), 404);
    }
    const inXml = await services().ask('GET /petstore/files/1', { accept: 'application/xml' });
    expect(inXml.text).toMatch(/<ApiResponse><code>404<\/code>/);
  });
});

test.each<[string, number, Buffer, number, Readonly<Record<string, string>>]>([
  ['an empty body', 1, Buffer.alloc(0), 400, {}],
  ['an unknown pet', 4711, png, 404, {}],
  ['more than the limit', 1, Buffer.alloc(limit + 1), 413, {}],
  ['more in chunks', 1, Buffer.alloc(limit + 1), 413, { 'Transfer-Encoding': 'chunked' }],
])('an upload of %s is refused, and leaves the pet as it was', async (...row) => {
  const [, pet, content, status, headers] = row;
  const answered = await upload(`${pet}/uploadImage`, content, headers);
  await expectError(answered, status, status === 404 ? 'Pet not found' : undefined);
  expect(await photosOf(1)).toEqual([]);
  expect(await services().db.knex('item_files').select('id')).toEqual([]);
});
