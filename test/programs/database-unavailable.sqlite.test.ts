/** A SQLite file in trouble under a running server: disk full, damaged, gone, locked. The server answers, and recovers. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync } from 'node:fs';
import { mkdtemp, open, rename, rm, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { describeOnBreakingDisk, useBreakingDisk } from '../support/breaking-disk';
import { expectOk } from '../support/expect-ok';
import { expectUnavailable } from '../support/expect-unavailable';
import { describeOnSmallDisk, useSmallDisk } from '../support/small-disk';
import { startTroubledServer, type TroubledServer } from '../support/troubled-server';

const codesOf = (server: TroubledServer): (string | undefined)[] =>
  server.failures().map(({ err }) => err.code);

/** Adds pets until one is refused: whether the file is still there is looked at many times a second, and not for each change. */
const firstRefused = async (server: TroubledServer): ReturnType<TroubledServer['addPet']> => {
  for (let tries = 0; tries < 10_000; tries += 1) {
    const answered = await server.addPet();
    if (answered.status !== 200) return answered;
  }
  throw new Error('Nothing was refused');
};

describeOnSmallDisk('a full disk', () => {
  const disk = useSmallDisk();
  let server: TroubledServer;

  beforeAll(async () => {
    server = await startTroubledServer(`sqlite:${join(disk().folder, 'services.sqlite')}`);
  });

  afterAll(() => server.stop());

  test.each([1, 2])(
    'refuses changes and not questions, until there is room (time %i)',
    async () => {
      expectOk(await server.addPet());
      await disk().fill();
      // The log may have some room of its own.
      const long = 'x'.repeat(200_000);
      await expectUnavailable(await server.addPet(long));
      expectOk(await server.getPet());
      await expectUnavailable(await server.addPet(long));
      expect(new Set(codesOf(server))).toEqual(new Set(['SQLITE_FULL']));
      await disk().makeRoom();
      expectOk(await server.addPet(long));
      expectOk(await server.getPet());
      expect((await server.ask('GET /readyz')).status).toBe(200);
      expect(server.failures()).toEqual([]);
    },
  );
});

describeOnBreakingDisk('a disk that becomes read-only', () => {
  const disk = useBreakingDisk();
  let server: TroubledServer;

  beforeAll(async () => {
    server = await startTroubledServer(`sqlite:${join(disk().folder, 'services.sqlite')}`);
  });

  afterAll(() => server.stop());

  test('refuses changes and not questions', async () => {
    const { id } = expectOk(await server.addPet()) as { readonly id: number };
    disk().break();
    // What was on its way when it broke may or may not be there.
    expect((await server.addPet()).status).toBe(503);
    await expectUnavailable(await server.addPet());
    expectOk(await server.getPet());
    expectOk(await server.ask(`GET /petstore/pet/${id}`, { key: 'special-key' }));
    for (const code of codesOf(server))
      expect(code).toMatch(/^(SQLITE_(IOERR|READONLY)|EIO|EROFS)/);
    expect((await server.ask('GET /livez')).status).toBe(200);
  });
});

describe('a file', () => {
  let folder = '';
  let path = '';
  let server: TroubledServer;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trouble-'));
    path = join(folder, 'services.sqlite');
    server = await startTroubledServer(`sqlite:${path}`);
  });

  afterEach(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  test('that is moved away is refused until it is back', async () => {
    expectOk(await server.addPet());
    await rename(path, `${path}-elsewhere`);
    await expectUnavailable(await firstRefused(server));
    expect(existsSync(path)).toBe(false);
    expect(codesOf(server)).toEqual(['FILE_MOVED']);
    await rename(`${path}-elsewhere`, path);
    expectOk(await server.addPet());
    expectOk(await server.getPet());
  });

  test('that is deleted soon takes nothing more, and is not taken for an empty one', async () => {
    expectOk(await server.addPet());
    await unlink(path);
    await expectUnavailable(await firstRefused(server));
    await expectUnavailable(await server.addPet());
    expect(existsSync(path)).toBe(false);
    expect((await server.ask('GET /livez')).status).toBe(200);
  });

  test('that is replaced soon takes nothing, and nothing gets into the other', async () => {
    expectOk(await server.addPet());
    copyFileSync(path, `${path}-copy`);
    await rename(`${path}-copy`, path);
    const before = await stat(path);
    await expectUnavailable(await firstRefused(server));
    expect(await stat(path)).toMatchObject({ size: before.size, mtimeMs: before.mtimeMs });
  });

  test('that is damaged makes clear errors, and ends nothing', async () => {
    expectOk(await server.addPet());
    await overwrite(path);
    const answers = [await server.getPet(), await server.addPet(), await server.getPet()];
    for (const answered of answers) await expectUnavailable(answered);
    const codes = codesOf(server);
    expect(codes).toHaveLength(answers.length);
    for (const code of codes) expect(code).toMatch(/^SQLITE_(CORRUPT|NOTADB|IOERR)/);
    expect((await server.ask('GET /livez')).status).toBe(200);
    expect((await server.ask('GET /readyz')).status).toBe(503);
  });

  test('that another process has locked makes changes wait, refuses them, and goes on', async () => {
    expectOk(await server.addPet());
    const unlock = await lockFromElsewhere(path);
    const [read, refused] = await Promise.all([server.getPet(), server.addPet()]).finally(unlock);
    expectOk(read);
    await expectUnavailable(refused);
    // On a busy machine the change has waited for too long before SQLite gives up.
    expect(codesOf(server).join()).toMatch(/^(?:SQLITE_BUSY|WAITED_TOO_LONG)$/);
    expectOk(await server.addPet());
  });
});

/** Writes over every page but the first, also over those in the log. */
const overwrite = async (path: string): Promise<void> => {
  for (const name of [path, `${path}-wal`]) {
    const file = await open(name, 'r+');
    const { size } = await file.stat();
    const from = name === path ? 4096 : 0;
    if (size > from) await file.write(Buffer.alloc(size - from, 0x5a), 0, size - from, from);
    await file.close();
  }
};

const locker = `
  const { Database } = require('sqlite3');
  const db = new Database(process.argv[1]);
  db.exec('begin immediate', () => console.log('locked'));
  process.stdin.on('data', () => process.exit());
`;

/** Takes the write lock in another process; resolves to the function that gives it back. */
const lockFromElsewhere = async (path: string): Promise<() => Promise<void>> => {
  const other = spawn(process.execPath, ['-e', locker, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(other, 'exit');
  await once(other.stdout, 'data');
  return async () => {
    other.stdin.end('.');
    await ended;
  };
};
