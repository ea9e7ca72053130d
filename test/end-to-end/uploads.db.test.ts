/** Uploading images: the bytes come back as they were, and no browser runs them. */

import { createHash } from 'node:crypto';
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
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1]);

/** Every byte, many times, none of it text. */
const allBytes = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7) % 256));

const upload = (target: string, body: Uint8Array, type = bytes, headers = {}) =>
  services().ask(`POST /petstore/pet/${target}`, {
    token: services().petToken,
    type,
    body,
    headers,
  });

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
  test.each<[string, Buffer, string]>([
    ['a PNG', png, 'image/png'],
    ['a GIF', gif, 'image/gif'],
    ['a JPEG', jpeg, 'image/jpeg'],
  ])('%s comes back byte for byte, shown in place', async (_, bytes, type) => {
    const answered = await upload('1/uploadImage?additionalMetadata=Rex+at+the+beach', bytes);
    expect(expectOk(answered)).toEqual({
      code: 200,
      type,
      message: `Rex at the beach, ${bytes.length} bytes`,
    });
    const photo = await fetchPhoto(1);
    expect(photo.status).toBe(200);
    expect(photo.bytes.equals(bytes)).toBe(true);
    expect(photo.headers).toMatchObject({
      'content-type': type,
      'content-length': String(bytes.length),
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
  });

  test.each<[string, Buffer]>([
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    [
      'an SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    ['a script', Buffer.from('alert(1)')],
    ['a PDF', Buffer.from('%PDF-1.4\n1 0 obj\n<< >>\nendobj\n')],
    ['every byte there is', allBytes],
    ['a single zero', Buffer.from([0])],
    ['blanks', Buffer.from('  \r\n')],
  ])('%s comes back byte for byte, to be saved and not run', async (_, content) => {
    expectOk(await upload('1/uploadImage', content));
    const photo = await fetchPhoto(1);
    expect(photo.bytes.equals(content)).toBe(true);
    expect(photo.headers).toMatchObject({
      'content-type': bytes,
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
    });
  });

  test('stands at an address that the pet gains, after those it had', async () => {
    expectOk(await upload('1/uploadImage', png));
    expectOk(await upload('1/uploadImage', gif));
    const [first = '', second = ''] = await photosOf(1);
    expect(first).not.toBe(second);
    expect(await photosOf(1)).toHaveLength(2);
    const { bytes } = await services().ask(`GET ${new URL(first).pathname}`);
    expect(bytes.equals(png)).toBe(true);
    expect(await photosOf(2)).toEqual([]);
  });

  test('goes with the pet', async () => {
    const { ask, petToken: token } = services();
    expectOk(await upload('1/uploadImage', png));
    const [url = ''] = await photosOf(1);
    expectOk(await ask('DELETE /petstore/pet/1', { token }));
    await expectError(await ask(`GET ${new URL(url).pathname}`), 404);
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

  test('answers without metadata by the size alone', async () => {
    expect(expectOk(await upload('1/uploadImage', png))).toMatchObject({
      message: `${png.length} bytes`,
    });
  });

  test('may be as large as the limit', async () => {
    const bytes = Buffer.alloc(limit, 7);
    expectOk(await upload('1/uploadImage', bytes));
    const digest = (bytesOf: Buffer) => createHash('sha256').update(bytesOf).digest('hex');
    expect(digest((await fetchPhoto(1)).bytes)).toBe(digest(bytes));
  });
});

describe('an upload that is refused leaves the pet as it was:', () => {
  test.each<[string, string, Buffer, number, string | undefined]>([
    ['an empty body', '1/uploadImage', Buffer.alloc(0), 400, undefined],
    ['an unknown pet', '4711/uploadImage', png, 404, 'Pet not found'],
    ['an id that is none', 'one/uploadImage', png, 400, undefined],
    ['more than the limit', '1/uploadImage', Buffer.alloc(limit + 1), 413, undefined],
  ])('%s', async (_, target, bytes, status, message) => {
    const { db } = services();
    await expectError(await upload(target, bytes), status, message);
    expect(await photosOf(1)).toEqual([]);
    expect(await db.knex('item_files').select('id')).toEqual([]);
  });

  test.each(['image/png', 'application/json', 'multipart/form-data; boundary=x', 'text/plain'])(
    'the type %s',
    async (type) => {
      await expectError(await upload('1/uploadImage', png, type), 415);
      expect(await photosOf(1)).toEqual([]);
    },
  );

  test('more than the limit, without a length that says so', async () => {
    const headers = { 'Transfer-Encoding': 'chunked' };
    const answered = await services().ask('POST /petstore/pet/1/uploadImage', {
      token: services().petToken,
      type: bytes,
      body: Buffer.alloc(limit + 1),
      headers,
    });
    await expectError(answered, 413);
    expect(await photosOf(1)).toEqual([]);
  });
});
