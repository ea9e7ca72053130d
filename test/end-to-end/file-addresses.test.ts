/** The addresses of uploaded files follow the address of the server, and nobody else's do. */

import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { type RunningServer, startServer } from '../../src/server/server';
import { closeDatabase, openDatabase } from '../../src/storage/database/database';
import { issuePetToken } from '../support/access-token';
import { askAt } from '../support/ask';
import { startTestServer, stopTestServer, type TestServer, testConfig } from '../support/start';
import { storedItems } from '../support/stored-items';

const publicUrl = 'https://pets.example.org';

let first: TestServer;
/** Another over the same database, after its address has changed. */
let moved: RunningServer;
let token = '';
/** The pet of the test. */
let id = 0;

beforeAll(async () => {
  first = await startTestServer();
  const { url } = first.database;
  const config = testConfig({ DATABASE_URL: url, PUBLIC_URL: publicUrl });
  moved = await startServer(config, { log: pino({ level: 'silent' }) });
  token = await issuePetToken(url);
});
afterAll(async () => {
  await moved.stop();
  await stopTestServer(first);
});
beforeEach(async () => {
  const body = { name: 'Bello', photoUrls: [], status: 'available' };
  ({ id } = JSON.parse((await askFirst('POST /petstore/pet', { body })).text));
});

interface Photographed {
  readonly id: number;
  readonly name: string;
  readonly photoUrls: readonly string[];
}

const askFirst = (request: string, asked = {}) =>
  askAt(first.running.origin)(request, { token, ...asked });
const askMoved = (request: string, accept?: string) =>
  askAt(moved.address)(request, { token, accept });

const upload = () =>
  askFirst(`POST /petstore/pet/${id}/uploadImage`, {
    type: 'application/octet-stream',
    body: 'bytes',
  });
const petAt = async (ask: typeof askFirst | typeof askMoved): Promise<Photographed> =>
  JSON.parse((await ask(`GET /petstore/pet/${id}`)).text);

const storedDocument = async (): Promise<string> => {
  const db = await openDatabase(first.database.url, { connections: 2 });
  const rows = storedItems(db, 'petstore', 'pets').where({ id }).select('document');
  const [row] = await rows.finally(() => closeDatabase(db));
  return row.document;
};

test('a file is at the address under which the server is reached today, in items, lists and XML', async () => {
  expect((await upload()).status).toBe(200);
  const [before = ''] = (await petAt(askFirst)).photoUrls;
  expect(before.startsWith(`${first.running.origin}/petstore/files/`)).toBe(true);
  const after = before.replace(first.running.origin, publicUrl);
  expect((await petAt(askMoved)).photoUrls).toEqual([after]);
  const list = await askMoved('GET /petstore/pet/findByStatus?status=available');
  const listed: readonly Photographed[] = JSON.parse(list.text);
  expect(listed.find((pet) => pet.id === id)?.photoUrls).toEqual([after]);
  const xml = await askMoved(`GET /petstore/pet/${id}`, 'application/xml');
  expect(xml.text).toContain(`<photoUrl>${after}</photoUrl>`);
  const { status, text } = await askMoved(`GET ${new URL(after).pathname}`);
  expect([status, text]).toEqual([200, 'bytes']);
});

test('it stays so when the item is changed, or sent back as it came', async () => {
  await upload();
  const pet = await petAt(askFirst);
  expect((await askFirst('PUT /petstore/pet', { body: pet })).status).toBe(200);
  expect((await askFirst(`POST /petstore/pet/${id}?name=Rex`)).status).toBe(200);
  await upload();
  const [one, two] = (await petAt(askMoved)).photoUrls;
  expect(one).toBe(pet.photoUrls[0]?.replace(first.running.origin, publicUrl));
  expect(two).toMatch(/^https:\/\/pets\.example\.org\/petstore\/files\/[\da-f-]{36}$/);
  expect(await storedDocument()).not.toMatch(/https?:/);
});

test.each<[string, (own: string, file: string) => string]>([
  ['the address of another host', (_, file) => `https://elsewhere.example/petstore/files/${file}`],
  ['another service', (own, file) => `${own}/ads/files/${file}`],
  ['no address', (_, file) => `\\/files\\/${file}`],
  ['a path', (_, file) => `/files/${file}`],
  ['an address with more behind it', (own, file) => `${own}/petstore/files/${file}?size=small`],
  ['an address in a sentence', (own, file) => `see "${own}/petstore/files/${file}"`],
  ['something that is no file', (own) => `${own}/petstore/files/$&`],
])('%s that looks alike is left as it is', async (_, made) => {
  await upload();
  const { origin } = first.running;
  const [own = ''] = (await petAt(askFirst)).photoUrls;
  const text = made(origin, own.slice(-36));
  const pet = { id, name: text, photoUrls: [text, own] };
  expect((await askFirst('PUT /petstore/pet', { body: pet })).status).toBe(200);
  const moved = { ...pet, photoUrls: [text, own.replace(origin, publicUrl)] };
  expect([await petAt(askFirst), await petAt(askMoved)]).toEqual([pet, moved]);
});
