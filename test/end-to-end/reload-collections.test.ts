/** Stored items while handlers change their declarations: a search by a new field finds all of them. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { parse } from 'yaml';
import type { UntypedHandler } from '../../src/engine';
import type { HandlerModules } from '../../src/host/handler-modules';
import { type RunningServer, startServer } from '../../src/server/server';
import { type Ask, askAt } from '../support/ask';
import { useNewDatabases } from '../support/new-database';
import { testConfig } from '../support/start';
import { useTemporaryFolder } from '../support/temporary-folder';

const newDatabase = useNewDatabases();
const folder = useTemporaryFolder();

const document = parse(readFileSync(join(__dirname, 'reload-collections.yaml'), 'utf8'));

/** The dependencies of these handlers. */
interface Dependencies {
  readonly books: {
    list(): unknown;
    find(path: string, values: readonly unknown[]): unknown;
    insert(item: unknown): Promise<unknown>;
  };
}

/** Handlers that find books by their author where that is declared. */
const modulesWith = (lookups: readonly string[]): HandlerModules => ({
  exist: true,
  failed: [],
  behind: [],
  migrations: [],
  collections: { books: { schema: 'Book', lookups } },
  accounts: undefined,
  demo: { books: [{ author: 'Austen' }] },
  handlers: async (call) => {
    const { books: stored } = call().given[0] as Dependencies;
    const found = () => (lookups.length > 0 ? stored.find('author', ['Austen']) : stored.list());
    const findBooks: UntypedHandler = async () => ({ status: 200, body: found() });
    const addBook: UntypedHandler = async ({ body }) => ({
      status: 201,
      body: await stored.insert(body),
    });
    const handlers = [
      { operationId: 'findBooks', handler: findBooks, file: 'book.ts' },
      { operationId: 'addBook', handler: addBook, file: 'book.ts' },
    ];
    return { handlers, failed: [] };
  },
  securityHandlers: async () => ({}),
  positionOf: () => 'book.ts:1:1',
});

let modules = modulesWith([]);
let server: RunningServer;
let ask: Ask;

beforeEach(async () => {
  await writeFile(folder('library.json'), JSON.stringify(document));
  modules = modulesWith([]);
  const config = testConfig({ DATABASE_URL: await newDatabase(), SPECS_DIRECTORY: folder() });
  const log = pino({ level: 'silent' });
  server = await startServer(config, { log, loadHandlers: async () => modules });
  ask = askAt(server.address);
});
afterEach(() => server.stop());

const declare = async (lookups: readonly string[]): Promise<void> => {
  modules = modulesWith(lookups);
  await server.reload();
};

const key = 'special-key';
const find = () => ask('GET /library/books', { key });
const idsOf = (text: string): unknown => JSON.parse(text).map(({ id }: { id: number }) => id);

const found = async (): Promise<unknown> => {
  const { status, text } = await find();
  expect(status).toBe(200);
  return idsOf(text);
};

const add = async (): Promise<void> => {
  const { status } = await ask('POST /library/books', { body: { author: 'Austen' } });
  expect(status).toBe(201);
};

test('a new index has what was stored by a request that was in flight', async () => {
  const url = `${server.address}/library/books`;
  const headers = { 'Content-Type': 'application/json', Expect: '100-continue' };
  const late = request(url, { method: 'POST', headers });
  late.flushHeaders();
  await once(late, 'continue');
  await declare(['author']);
  expect(await found()).toEqual([1]);
  const answered = once(late, 'response');
  late.end('{"author":"Austen"}');
  const [answer] = await answered;
  expect(answer.statusCode).toBe(201);
  expect(await found()).toEqual([1, 2]);
  await add();
  expect(await found()).toEqual([1, 2, 3]);
});

test('one that is declared no longer, and then again, has what was stored in between', async () => {
  await declare(['author']);
  expect(await found()).toEqual([1]);
  await declare([]);
  await add();
  await declare(['author']);
  expect(await found()).toEqual([1, 2]);
});

test('the demo data of a document that is dropped in is there, with its key', async () => {
  const second = { ...document, servers: [{ url: '/archive' }] };
  await writeFile(folder('archive.json'), JSON.stringify(second));
  await server.reload();
  const { status, text } = await ask('GET /archive/books', { key });
  expect([status, idsOf(text)]).toEqual([200, [1]]);
  await add();
  await server.reload();
  expect(await found()).toEqual([1, 2]);
});
