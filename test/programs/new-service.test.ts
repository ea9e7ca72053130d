/** `contract new` and `contract stubs` in a copy of the project: what they write compiles, is formatted, and answers. */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rootFolder } from '../../scripts/root-folder';
import { type Ask, type Asked, askAt } from '../support/ask';
import { checkTypes, copyProject, removeCopy } from '../support/check-types';
import { runScript } from '../support/run-script';
import { startTestServer, stopTestServer, type TestServer } from '../support/start';

/** Operations for tags with and without handlers, and one in a service that is new. */
const moreAds = `  /photo:
    get:
      tags: [Photo Album]
      operationId: listPhotos
      responses: { '200': { description: Photos }, '501': { $ref: '#/components/responses/NotImplemented' } }
    put:
      operationId: put-photo
      responses: { '200': { description: Stored } }
  /ads:
    get:
      tags: [ad]
      operationId: listAds
      responses: { '200': { description: Ads } }
    delete:
      tags: [ad]
      operationId: ${'deleteAdsOf'.padEnd(80, 'x')}
      responses: { default: { $ref: '#/components/responses/UnexpectedError' } }
`;
const countItems = `  /items/count:
    get:
      tags: [item]
      operationId: countItems
      security: []
      responses: { '200': { description: How many } }
`;

let copy = '';
let server: TestServer | undefined;
let ask: Ask;

const contract = (...args: readonly string[]) =>
  runScript(copy, join(copy, 'scripts/contract/run.ts'), ...args);

const addPaths = (document: string, paths: string): void => {
  const file = join(copy, 'specs', document);
  writeFileSync(file, readFileSync(file, 'utf8').replace('\npaths:\n', `\npaths:\n${paths}`));
};

/** Every file that the commands may write. */
const writtenFiles = (): Record<string, string> =>
  Object.fromEntries(
    ['specs', 'handlers']
      .flatMap((folder) =>
        readdirSync(join(copy, folder), { recursive: true, encoding: 'utf8', withFileTypes: true }),
      )
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((file) => [file, readFileSync(file, 'utf8')]),
  );

const said: Record<string, ReturnType<typeof contract>> = {};
let before: Record<string, string> = {};

beforeAll(async () => {
  copy = copyProject([
    ...['src', 'handlers', 'specs', 'scripts/contract', 'scripts/generate'],
    ...['scripts/machine', 'scripts/root-folder.ts', 'biome.jsonc', '.gitignore'],
  ]);
  before = writtenFiles();
  said['new'] = contract('new', 'book-club', '--title', 'Books: "club"');
  said['check'] = contract('check', '--strict', 'specs/book-club.yaml');
  addPaths('ads.yaml', moreAds);
  addPaths('book-club.yaml', countItems);
  said['stubs'] = contract('stubs');
  server = await startTestServer({
    SPECS_DIRECTORY: join(copy, 'specs'),
    HANDLERS_DIRECTORY: join(copy, 'handlers'),
  });
  ask = askAt(server.running.origin);
});

afterAll(async () => {
  if (server !== undefined) await stopTestServer(server);
  removeCopy(copy);
});

describe('what the commands say', () => {
  const long = 'deleteAdsOf'.padEnd(80, 'x');
  test.each([
    [
      'new',
      `specs/book-club.yaml: written
handlers/book-club/types.ts: written
handlers/book-club/collections.ts: written
handlers/book-club/item.ts: written
handlers/book-club/demo.ts: written
handlers/book-club/item.test.ts: written
npm start serves it at /book-club
`,
    ],
    ['check', '0 errors, 0 warnings in 1 file\n'],
    [
      'stubs',
      `handlers/ads/types.ts: generated
handlers/ads/photo-album.ts: new, with listPhotos
handlers/ads/default.ts: new, with put-photo
handlers/ads/ad.ts: added listAds, ${long}
handlers/book-club/types.ts: generated
handlers/book-club/item.ts: added countItems
`,
    ],
  ])('%s', (command, out) => {
    expect(said[command]).toEqual({ status: 0, out, err: '' });
  });

  test('a second run changes nothing', () => {
    const files = writtenFiles();
    expect(contract('stubs')).toEqual({
      ...{ status: 0, out: 'Every operation has a handler\n', err: '' },
    });
    const { status, err } = contract('new', 'book-club');
    expect([status, err]).toEqual([2, 'specs/book-club.yaml already exists. Use another name.\n']);
    expect(writtenFiles()).toEqual(files);
  });
});

describe('what they write', () => {
  test('leaves the code that was there as it was', () => {
    const now = writtenFiles();
    const changed = Object.keys(before).filter((file) => now[file] !== before[file]);
    expect(changed.map((file) => file.slice(copy.length + 1))).toEqual([
      ...['specs/ads.yaml', 'handlers/ads/ad.ts', 'handlers/ads/types.ts'],
    ]);
    const module = join(copy, 'handlers/ads/ad.ts');
    const text = before[module] ?? '';
    const end = text.lastIndexOf('});');
    expect(now[module]?.slice(0, end)).toBe(text.slice(0, end));
    expect(now[module]?.endsWith(text.slice(end))).toBe(true);
  });

  test('compiles', () => {
    expect(checkTypes(copy, ['handlers'])).toEqual([]);
  });

  test('is formatted and without faults of style', () => {
    const biome = join(rootFolder, 'node_modules/@biomejs/biome/bin/biome');
    const { status, stdout, stderr } = spawnSync(process.execPath, [biome, 'check', 'handlers'], {
      ...{ cwd: copy, encoding: 'utf8' },
    });
    expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  });
});

describe('the new service', () => {
  const demo = `Basic ${Buffer.from('demo:demo-password').toString('base64')}`;
  const signedIn = { headers: { Authorization: demo } };
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk', 'base64');
  const first = { id: 1, name: 'A first item', createdBy: 'demo' };
  const emma = { id: 2, name: 'Emma', createdBy: 'demo' };
  const fault = (status: number, message: string) =>
    expect.objectContaining({ code: status, message });

  test.each<[target: string, asked: Asked, status: number, body: unknown]>([
    ['GET /items', {}, 401, expect.objectContaining({ type: 'unauthenticated' })],
    ['GET /items', signedIn, 200, { items: [first] }],
    ['POST /items', { ...signedIn, body: { name: 'Emma' } }, 201, emma],
    [
      'POST /items',
      { ...signedIn, body: { id: 1, name: 'Ulysses' } },
      409,
      fault(409, 'Another item has this id'),
    ],
    [
      'POST /items',
      { ...signedIn, body: {} },
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ path: '/name' })] }),
    ],
    ['GET /items/2', signedIn, 200, emma],
    ['GET /items?limit=101', signedIn, 400, expect.objectContaining({ code: 400 })],
    ['GET /items?after=forged', signedIn, 400, expect.objectContaining({ code: 400 })],
    [
      'PUT /items/3/picture',
      { ...signedIn, type: 'image/png', body: png },
      404,
      fault(404, 'Item not found'),
    ],
    ['DELETE /items/1', signedIn, 204, undefined],
    ['DELETE /items/1', signedIn, 404, fault(404, 'Item not found')],
    ['GET /items/1', signedIn, 404, fault(404, 'Item not found')],
  ])('%s %j -> %i', async (target, asked, status, body) => {
    const answer = await ask(target.replace(' ', ' /book-club'), asked);
    expect([answer.status, answer.text === '' ? undefined : JSON.parse(answer.text)]).toEqual([
      ...[status, body],
    ]);
  });

  test('lists page by page', async () => {
    await ask('POST /book-club/items', { ...signedIn, body: { name: 'Ulysses' } });
    const page = JSON.parse((await ask('GET /book-club/items?limit=1', signedIn)).text);
    const { text } = await ask(`GET /book-club/items?limit=1&after=${page.next}`, signedIn);
    expect([page.items, JSON.parse(text).items]).toEqual([
      ...[[emma], [{ id: 3, name: 'Ulysses', createdBy: 'demo' }]],
    ]);
  });

  test('keeps pictures for its users', async () => {
    const put = { ...signedIn, type: 'image/png', body: png };
    const { picture } = JSON.parse((await ask('PUT /book-club/items/2/picture', put)).text);
    const address = `GET ${new URL(picture).pathname}`;
    const { headers, bytes } = await ask(address, signedIn);
    expect([headers['content-type'], bytes]).toEqual(['image/png', png]);
    expect((await ask(address)).status).toBe(401);
  });
});

describe('a handler that is still to be written', () => {
  test.each([
    ['declared', 'GET /ads/photo', 'Not implemented'],
    [
      'declared as default',
      'DELETE /ads/ads',
      `${'deleteAdsOf'.padEnd(80, 'x')} is not implemented`,
    ],
    ['not declared', 'GET /ads/ads', 'listAds is not implemented'],
    [
      'not declared, in the new service',
      'GET /book-club/items/count',
      'countItems is not implemented',
    ],
    ['of an operation without a tag', 'PUT /ads/photo', 'put-photo is not implemented'],
  ])('answers 501: %s', async (_title, target, message) => {
    const { status, text } = await ask(target);
    expect([status, JSON.parse(text)]).toEqual([
      501,
      { code: 501, type: 'not-implemented', message },
    ]);
  });
});
