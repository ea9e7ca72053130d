/** The addresses of uploaded files follow the address of the server, and nobody else's do. */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
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

beforeEach(async () => {
  first = await startTestServer();
  const { url } = first.database;
  const config = testConfig({ DATABASE_URL: url, PUBLIC_URL: publicUrl });
  moved = await startServer(config, { log: pino({ level: 'silent' }) });
  token = await issuePetToken(url);
});
afterEach(async () => {
  await moved.stop();
  await stopTestServer(first);
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
  askFirst('POST /petstore/pet/1/uploadImage', { type: 'application/octet-stream', body: 'bytes' });
const petAt = async (ask: typeof askFirst | typeof askMoved): Promise<Photographed> =>
  JSON.parse((await ask('GET /petstore/pet/1')).text);

const documentOf = async (id: number): Promise<string> => {
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
  expect(JSON.parse(list.text)[0].photoUrls).toEqual([after]);
  const xml = await askMoved('GET /petstore/pet/1', 'application/xml');
  expect(xml.text).toContain(`<photoUrl>${after}</photoUrl>`);
  const { status, text } = await askMoved(`GET ${new URL(after).pathname}`);
  expect([status, text]).toEqual([200, 'bytes']);
});

test('it stays so when the item is changed, or sent back as it came', async () => {
  await upload();
  const pet = await petAt(askFirst);
  expect((await askFirst('PUT /petstore/pet', { body: pet })).status).toBe(200);
  expect((await askFirst('POST /petstore/pet/1?name=Rex')).status).toBe(200);
  await upload();
  const [one, two] = (await petAt(askMoved)).photoUrls;
  expect(one).toBe(pet.photoUrls[0]?.replace(first.running.origin, publicUrl));
  expect(two).toMatch(/^https:\/\/pets\.example\.org\/petstore\/files\/[\da-f-]{36}$/);
  expect(await documentOf(1)).not.toMatch(/https?:/);
});

test.each<[string, (own: string, id: string) => string]>([
  ['the address of another host', (_, id) => `https://elsewhere.example/petstore/files/${id}`],
  ['another service', (own, id) => `${own}/ads/files/${id}`],
  ['no address', (_, id) => `\\/files\\/${id}`],
  ['a path', (_, id) => `/files/${id}`],
  ['an address with more behind it', (own, id) => `${own}/petstore/files/${id}?size=small`],
  ['an address in a sentence', (own, id) => `see "${own}/petstore/files/${id}"`],
  ['something that is no file', (own) => `${own}/petstore/files/$&`],
])('%s that looks alike is left as it is', async (_, made) => {
  await upload();
  const { origin } = first.running;
  const [own = ''] = (await petAt(askFirst)).photoUrls;
  const text = made(origin, own.slice(-36));
  const pet = { id: 1, name: text, photoUrls: [text, own] };
  expect((await askFirst('PUT /petstore/pet', { body: pet })).status).toBe(200);
  const moved = { ...pet, photoUrls: [text, own.replace(origin, publicUrl)] };
  expect([await petAt(askFirst), await petAt(askMoved)]).toEqual([pet, moved]);
});
