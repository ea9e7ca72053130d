/** `contract new` and `contract stubs` in a copy of the project: what they write compiles, is formatted, and answers. */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rootFolder } from '../../scripts/root-folder';
import { type Ask, askAt } from '../support/ask';
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
  const key = 'special-key';
  const faults = {
    code: 400,
    errors: [{ in: 'body', path: '/name', message: 'must have the property "name"' }],
  };
  test('lists, creates, reads and deletes items', async () => {
    const answers: [string, number, unknown][] = [];
    const step = async (target: string, asked = {}) => {
      const { status, text } = await ask(target, asked);
      answers.push([target, status, text === '' ? undefined : JSON.parse(text)]);
    };
    await step('GET /book-club/items');
    await step('POST /book-club/items', { key, body: { name: 'Emma' } });
    await step('POST /book-club/items', { key, body: { id: 1, name: 'Ulysses' } });
    await step('POST /book-club/items', { key, body: {} });
    await step('POST /book-club/items', { body: { name: 'Emma' } });
    await step('GET /book-club/items/2');
    await step('GET /book-club/items');
    await step('DELETE /book-club/items/2', { key });
    await step('DELETE /book-club/items/2', { key });
    await step('GET /book-club/items/2');
    const first = { id: 1, name: 'A first item' };
    const emma = { id: 2, name: 'Emma' };
    const missing = { code: 404, type: 'declared', message: 'Item not found' };
    expect(answers).toEqual([
      ['GET /book-club/items', 200, [first]],
      ['POST /book-club/items', 201, emma],
      [
        'POST /book-club/items',
        409,
        expect.objectContaining({ message: 'Another item has this id' }),
      ],
      ['POST /book-club/items', 400, expect.objectContaining(faults)],
      ['POST /book-club/items', 401, expect.objectContaining({ type: 'unauthenticated' })],
      ['GET /book-club/items/2', 200, emma],
      ['GET /book-club/items', 200, [first, emma]],
      ['DELETE /book-club/items/2', 204, undefined],
      ['DELETE /book-club/items/2', 404, missing],
      ['GET /book-club/items/2', 404, missing],
    ]);
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
