/** Attached files: who reads them, and what conditions and ranges do. */

import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { issueToken } from '../../scripts/machine/issue-token';
import type { UntypedHandler } from '../../src/engine';
import { type HandlerModules, noModules } from '../../src/host/handler-modules';
import { sessionCookie } from '../../src/identity/session-cookie';
import { announcementOf } from '../../src/server/announcement';
import { type RunningServer, startServer } from '../../src/server/server';
import type { FileReaders } from '../../src/storage/collections/attached-files';
import { closeDatabase, type Database, openDatabase } from '../../src/storage/database/database';
import { type Answered, type Ask, type Asked, askAt } from '../support/ask';
import { useNewDatabases } from '../support/new-database';
import { testConfig } from '../support/start';

const newDatabase = useNewDatabases();
const readers: Readonly<Record<string, FileReaders>> = {
  public: 'public',
  own: true,
  scoped: { read: 'readScoped' },
  keyed: { read: 'readKeyed' },
  open: { read: 'readOpen' },
  missing: { read: 'readNothing' },
};

/** The part of a collection that the handlers use. */
interface Rooms {
  insert(item: object): Promise<{ read(): { readonly id: bigint } }>;
  attach(
    id: bigint,
    content: Uint8Array,
    change: (item: object, url: string) => object,
    owner: string,
  ): Promise<{ readonly url: string }>;
}

/** The users that the handlers change. */
interface RoomUsers {
  update(name: string, change: (user: object) => object): Promise<unknown>;
  delete(name: string): Promise<boolean>;
}

interface Request {
  readonly path: { readonly collection: string };
  readonly body: Uint8Array;
  readonly principal: { readonly subject: string };
}

type Dependencies = Readonly<Record<string, Rooms>> & { readonly users: RoomUsers };

const handlersOf = (dependencies: Dependencies): Readonly<Record<string, UntypedHandler>> => ({
  addFile: async (request) => {
    const {
      path: { collection },
      body,
      principal,
    } = request as unknown as Request;
    const rooms = dependencies[collection] as Rooms;
    const { id } = (await rooms.insert({})).read();
    const change = (item: object, url: string) => ({ ...item, url });
    const { url } = await rooms.attach(id, body, change, principal.subject);
    return { status: 201, body: { id, url } };
  },
  renameMe: async (request) => {
    const name = (request as unknown as Request).principal.subject.slice('user:'.length);
    await dependencies.users.update(name, (user) => ({ ...user, username: `new-${name}` }));
    return { status: 204 };
  },
  deleteMe: async (request) => {
    const name = (request as unknown as Request).principal.subject.slice('user:'.length);
    await dependencies.users.delete(name);
    return { status: 204 };
  },
});

const modulesWith = (files: Readonly<Record<string, FileReaders>>): HandlerModules => ({
  ...noModules('handlers/rooms'),
  exist: true,
  collections: Object.fromEntries(
    Object.entries(files).map(([name, reader]) => [name, { schema: 'Room', files: reader }]),
  ),
  handlers: async (call) => ({
    handlers: Object.entries(handlersOf(call().given[0] as Dependencies)).map(
      ([operationId, handler]) => ({ operationId, handler, file: 'room.ts' }),
    ),
    failed: [],
  }),
});

let folder = '';
let databaseUrl = '';
let running: RunningServer;
let db: Database;
let ask: Ask;
/** Tokens of Ann with the scope, and without it; and of Bob. */
let ann = '';
let plain = '';
let bob = '';
/** The cookie of a login of Ann. */
let session = '';

const addUser = (name: string, id: number) =>
  db.knex('users').insert({
    ...{ service: 'rooms', id, username: name, username_key: name, comparable_key: name },
    ...{ document: JSON.stringify({ id, username: name }), format: '' },
  });

const tokenOf = async (
  user: string,
  scopes: readonly string[] = [],
  ...resources: readonly string[]
): Promise<string> => {
  const bound = resources.length > 0 ? { resources } : {};
  const token = await issueToken(db, { service: 'rooms', user, scopes, ...bound });
  if (token === undefined) throw new Error(`There is no ${user}`);
  return token;
};

const content = Buffer.from('0123456789');

/** Attaches a file to a new item; resolves to its path. */
const addFile = async (collection: string, token = ann, body = content): Promise<string> => {
  const type = 'application/octet-stream';
  const added = await ask(`POST /rooms/${collection}`, { token, type, body });
  if (added.status !== 201) throw new Error(`${added.status} ${added.text}`);
  return new URL(JSON.parse(added.text).url).pathname;
};

const start = async (modules: HandlerModules, url: string): Promise<RunningServer> => {
  const config = testConfig({ DATABASE_URL: url, SPECS_DIRECTORY: folder });
  const log = pino({ level: 'silent' });
  return startServer(config, { log, loadHandlers: async () => modules });
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'));
  await copyFile(join(__dirname, 'private-files.yaml'), join(folder, 'rooms.yaml'));
  databaseUrl = await newDatabase();
  running = await start(modulesWith(readers), databaseUrl);
  db = await openDatabase(databaseUrl);
  ask = askAt(running.origin);
  await addUser('ann', 7);
  await addUser('bob', 8);
  const login = await issueToken(db, { service: 'rooms', user: 'ann', kind: 'login' });
  session =
    sessionCookie('/rooms')
      .start(login ?? '', 60, false)
      .split(';')[0] ?? '';
  [ann, plain, bob] = [await tokenOf('ann', ['read']), await tokenOf('ann'), await tokenOf('bob')];
});
afterAll(async () => {
  await closeDatabase(db);
  await running.stop();
  await rm(folder, { recursive: true });
});

test('a token for the files of a service reads them, and one for something else does not', async () => {
  const file = await addFile('own');
  const statusFor = async (path: string) => {
    const token = await tokenOf('ann', [], running.origin + path);
    return (await ask(`GET ${file}`, { token })).status;
  };
  const paths = ['/rooms', '/rooms/files', file, '/rooms/me', `${file}0`];
  expect(await Promise.all(paths.map(statusFor))).toEqual([200, 200, 200, 401, 401]);
});

const nowhere = '/rooms/files/00000000-0000-4000-8000-000000000000';
const key = 'special-key';

/** The part of an answer by which callers could tell a file from none. */
const visible = ({ status, headers, text }: Answered) => ({
  ...{ status, text, challenge: headers['www-authenticate'] },
  ...{ caching: headers['cache-control'], etag: headers.etag, ranges: headers['accept-ranges'] },
});

describe('who reads a file', () => {
  test.each<[string, Record<'none' | 'bad' | 'ann' | 'plain' | 'bob' | 'key' | 'session', number>]>(
    [
      ['public', { none: 200, bad: 200, ann: 200, plain: 200, bob: 200, key: 200, session: 200 }],
      ['open', { none: 200, bad: 200, ann: 200, plain: 200, bob: 200, key: 200, session: 200 }],
      ['own', { none: 401, bad: 401, ann: 200, plain: 200, bob: 404, key: 404, session: 200 }],
      ['scoped', { none: 401, bad: 401, ann: 200, plain: 403, bob: 403, key: 401, session: 401 }],
      ['keyed', { none: 401, bad: 401, ann: 401, plain: 401, bob: 401, key: 200, session: 401 }],
      ['missing', { none: 401, bad: 401, ann: 404, plain: 404, bob: 404, key: 404, session: 404 }],
    ],
  )('of the collection %s', async (collection, expected) => {
    const file = await addFile(collection);
    const callers: Readonly<Record<keyof typeof expected, Asked>> = {
      ...{ none: {}, bad: { token: 'bad' }, ann: { token: ann }, plain: { token: plain } },
      ...{ bob: { token: bob }, key: { key }, session: { headers: { Cookie: session } } },
    };
    for (const [caller, asked] of Object.entries(callers)) {
      const { status, bytes: read, headers } = await ask(`GET ${file}`, asked);
      expect([caller, status]).toEqual([caller, expected[caller as keyof typeof expected]]);
      if (status === 401 || status === 403) {
        expect(headers['www-authenticate']).toMatch(/^(?:Bearer|ApiKey) realm="rooms"/);
      }
      if (status === 200) expect(read).toEqual(content);
      const head = await ask(`HEAD ${file}`, asked);
      expect([head.status, head.bytes.length]).toEqual([status, 0]);
      expect((await ask(`DELETE ${file}`, asked)).status).toBe(status === 200 ? 405 : status);
    }
  });

  test('strangers cannot tell a private file from none, in no format', async () => {
    const files = [await addFile('own'), await addFile('scoped'), await addFile('keyed')];
    for (const asked of [{}, { token: 'bad' }, { key: 'bad' }, { accept: 'application/xml' }]) {
      const none = visible(await ask(`GET ${nowhere}`, asked));
      expect(none).toMatchObject({ status: 401, caching: 'no-store', etag: undefined });
      for (const file of files) {
        const headers = { Range: 'bytes=0-1', 'If-None-Match': '*' };
        expect(visible(await ask(`GET ${file}`, asked))).toEqual(none);
        expect(visible(await ask(`GET ${file}`, { ...asked, headers }))).toEqual(none);
      }
    }
    const other = visible(await ask(`GET ${files[0]}`, { token: bob }));
    expect(other).toEqual(visible(await ask(`GET ${nowhere}`, { token: bob })));
    const page = await ask(`GET ${files[0]}`, { accept: 'text/html' });
    expect([page.status, page.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
  });

  test('a file follows its user to another name, and goes to no later user of the name', async () => {
    await addUser('cy', 9);
    const before = await tokenOf('cy');
    const file = await addFile('own', before);
    expect((await ask('PUT /rooms/me', { token: before })).status).toBe(204);
    await addUser('cy', 10);
    const renamed = await tokenOf('new-cy');
    expect((await ask(`GET ${file}`, { token: renamed })).status).toBe(200);
    expect((await ask(`GET ${file}`, { token: await tokenOf('cy') })).status).toBe(404);
    expect((await ask('DELETE /rooms/me', { token: renamed })).status).toBe(204);
    await addUser('new-cy', 11);
    expect((await ask(`GET ${file}`, { token: await tokenOf('new-cy') })).status).toBe(404);
  });

  test('an operation that is not there is told at the start', () => {
    expect(announcementOf(running).join('\n')).toContain(
      'The document has no operation readNothing, so that no caller can read the files of missing.',
    );
  });

  test('files of a collection that has none any more are read by no caller', async () => {
    const file = await addFile('own');
    const { own: _, ...others } = readers;
    const later = await start(modulesWith(others), databaseUrl);
    try {
      const answered = await askAt(later.origin)(`GET ${file}`, { token: ann });
      expect(answered.status).toBe(404);
    } finally {
      await later.stop();
    }
  });
});

describe('what is sent of a file', () => {
  test.each([
    ['public', 'private, max-age=31536000, immutable', 'Origin'],
    ['own', 'private, no-cache', 'Origin, Authorization, Cookie'],
  ])('caches of a file that is %s', async (collection, caching, vary) => {
    const file = await addFile(collection);
    const { headers } = await ask(`GET ${file}`, { token: ann });
    const etag = `"${file.slice('/rooms/files/'.length)}"`;
    expect(headers).toMatchObject({ etag, vary, 'cache-control': caching });
    const known = { 'If-None-Match': `"other", W/${etag}` };
    const kept = await ask(`GET ${file}`, { token: ann, headers: known });
    expect([kept.status, kept.bytes.length]).toEqual([304, 0]);
    expect(kept.headers).toMatchObject({ etag, vary, 'cache-control': caching });
  });

  const part = (range: string, text: string) => [206, `bytes ${range}/10`, text] as const;
  const whole = [200, undefined, '0123456789'] as const;
  const behind = [416, 'bytes */10', expect.stringContaining('behind the end')] as const;

  test.each<[string, Readonly<Record<string, string>>, readonly [number, unknown, unknown]]>([
    ['the beginning', { Range: 'bytes=0-2' }, part('0-2', '012')],
    ['from a place on', { Range: 'bytes=7-' }, part('7-9', '789')],
    ['the end', { Range: 'bytes=-2' }, part('8-9', '89')],
    ['more than there is', { Range: 'bytes=5-99' }, part('5-9', '56789')],
    ['more of the end than there is', { Range: 'bytes=-99' }, part('0-9', '0123456789')],
    ['several parts', { Range: 'bytes=0-1,8-9' }, whole],
    ['what lies behind', { Range: 'bytes=10-' }, behind],
    ['nothing of the end', { Range: 'bytes=-0' }, behind],
    ['another unit', { Range: 'lines=0-1' }, whole],
    ['no range', { Range: 'bytes' }, whole],
    ['an end before the start', { Range: 'bytes=5-2' }, whole],
    ['places of many digits', { Range: `bytes=0-${'9'.repeat(400)}` }, part('0-9', '0123456789')],
    ['no place', { Range: 'bytes=-' }, whole],
    ['a part of this file', { Range: 'bytes=0-2', 'If-Range': 'ETAG' }, part('0-2', '012')],
    ['a part of another', { Range: 'bytes=0-2', 'If-Range': '"other"' }, whole],
    ['a part by a weak tag', { Range: 'bytes=0-2', 'If-Range': 'W/ETAG' }, whole],
    ['a part by a date', { Range: 'bytes=0-2', 'If-Range': new Date(0).toUTCString() }, whole],
    ['this file', { 'If-Match': '"other", ETAG' }, whole],
    ['any file', { 'If-Match': '*' }, whole],
    ['another file', { 'If-Match': '"other"' }, [412, undefined, expect.anything()]],
    ['this file by a weak tag', { 'If-Match': 'W/ETAG' }, [412, undefined, expect.anything()]],
    [
      'a part of a file that is kept',
      { Range: 'bytes=0-2', 'If-None-Match': 'ETAG' },
      [304, undefined, ''],
    ],
    ['a file that is not kept', { 'If-None-Match': '"other"' }, whole],
    [
      'a newer file, of which no date is known',
      { 'If-Modified-Since': new Date().toUTCString() },
      whole,
    ],
  ])('%s', async (_, given, [status, range, text]) => {
    const file = await addFile('own');
    const etag = `"${file.slice('/rooms/files/'.length)}"`;
    const entries = Object.entries(given).map(([name, value]) => [
      name,
      value.replace('ETAG', etag),
    ]);
    const headers: Record<string, string> = Object.fromEntries(entries);
    const answered = await ask(`GET ${file}`, { token: ann, headers });
    expect([answered.status, answered.headers['content-range'], answered.text]).toEqual([
      status,
      range,
      text,
    ]);
    if (status === 416) return;
    const head = await ask(`HEAD ${file}`, { token: ann, headers });
    const isPart = status === 206;
    expect([head.status, head.bytes.length]).toEqual([isPart ? 200 : status, 0]);
    if (isPart || status === 200) expect(head.headers['content-length']).toBe('10');
  });

  test('a file without bytes is sent whole, and has no part', async () => {
    const file = await addFile('public', ann, Buffer.alloc(0));
    const { status, bytes: read, headers } = await ask(`GET ${file}`);
    expect([status, read.length, headers['content-length']]).toEqual([200, 0, '0']);
    const ranged = await ask(`GET ${file}`, { headers: { Range: 'bytes=0-' } });
    expect([ranged.status, ranged.headers['content-range']]).toEqual([416, 'bytes */0']);
  });
});
