import {
  chmod,
  copyFile,
  link,
  lstat,
  readdir,
  readFile,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { backUp, restore, withSqliteFile } from '../../../../src/storage/backup/backup';
import {
  closeDatabase,
  type Database,
  openDatabase,
} from '../../../../src/storage/database/database';
import { fill, hardRows, readBack, useDatabases } from '../copy/copy-databases';

const databases = useDatabases();

const now = Date.UTC(2030, 0, 1, 12);

const newPath = async (): Promise<string> =>
  (await databases().create('sqlite')).slice('sqlite:'.length);

const withDatabase = async <Result>(
  path: string,
  use: (db: Database) => Promise<Result>,
): Promise<Result> => {
  const db = await openDatabase(`sqlite:${path}`);
  return use(db).finally(() => closeDatabase(db));
};

type Rows = Parameters<typeof fill>[1];

/** A database that nobody has open. */
const createClosed = async (rows: Rows = {}): Promise<string> => {
  const path = await newPath();
  await withDatabase(path, (db) => fill(db, rows));
  return path;
};

const createBackup = async (rows: Rows = {}): Promise<string> => {
  const file = await newPath();
  await backUp(await createClosed(rows), file, { force: false });
  return file;
};

/** The files whose names begin as the path does. */
const filesLike = async (path: string): Promise<string[]> =>
  (await readdir(databases().folder)).filter((name) => name.startsWith(basename(path))).sort();

const contentOf = (path: string) => withDatabase(path, (db) => readBack(db, hardRows));

const retired = (id: string) => ({ retired_ids: [{ kind: 'k', id }] });

const retiredIn = async (path: string): Promise<string[]> => {
  const ids = await withDatabase(path, ({ knex }) => knex('retired_ids').pluck('id'));
  return ids.map(String);
};

describe('backUp', () => {
  test('takes along what is still in the log, leaves nothing beside the file, and is as private', async () => {
    const path = await newPath();
    const file = await newPath();
    await withDatabase(path, async (db) => {
      await fill(db, hardRows);
      await chmod(path, 0o600);
      await backUp(path, file, { force: false });
      expect(await filesLike(file)).toEqual([basename(file)]);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await contentOf(file)).toEqual(await readBack(db, hardRows));
    });
  });

  test('does not change the tables of a database that was not brought up to date', async () => {
    const path = await newPath();
    await writeFile(path, '');
    await withSqliteFile(path, (ask) => ask('create table old (id integer)'));
    const file = await newPath();
    await backUp(path, file, { force: false });
    const tables = await withSqliteFile(file, (ask) => ask('select name from sqlite_master'));
    expect(tables).toEqual([{ name: 'old' }]);
  });

  test('refuses to replace a file unless told to', async () => {
    const path = await createClosed(retired('1'));
    const file = await newPath();
    await writeFile(file, 'precious');
    await expect(backUp(path, file, { force: false })).rejects.toThrow(
      `There is a file "${file}" already; --force replaces it.`,
    );
    expect(await readFile(file, 'utf8')).toBe('precious');
    await backUp(path, file, { force: true });
    expect(await retiredIn(file)).toEqual(['1']);
  });

  test('never replaces the database itself, by whatever name', async () => {
    const path = await createClosed(retired('1'));
    const other = await newPath();
    await link(path, other);
    for (const file of [path, other]) {
      await expect(backUp(path, file, { force: true })).rejects.toThrow(
        `The file "${file}" is the database itself.`,
      );
    }
    expect(await retiredIn(path)).toEqual(['1']);
  });

  test('leaves nothing behind where it fails', async () => {
    const path = await newPath();
    await writeFile(path, 'no database, but long enough to be one '.repeat(99));
    const file = await newPath();
    await expect(backUp(path, file, { force: false })).rejects.toThrow('file is not a database');
    expect(await filesLike(file)).toEqual([]);
  });
});

describe('restore', () => {
  test('brings everything back, and keeps what was there', async () => {
    const file = await createBackup(hardRows);
    const path = await createClosed(retired('1'));
    const kept = (await restore(path, file, now)) ?? '';
    expect(await contentOf(path)).toEqual(await contentOf(file));
    expect(await retiredIn(kept)).toEqual(['1']);
  });

  test('replaces what a symbolic link leads to, and not the link', async () => {
    const file = await createBackup(retired('2'));
    const path = await createClosed(retired('1'));
    const alias = await newPath();
    await symlink(path, alias);
    const kept = (await restore(alias, file, now)) ?? '';
    expect(kept.startsWith(`${path}.before-`)).toBe(true);
    expect([await retiredIn(path), await retiredIn(kept)]).toEqual([['2'], ['1']]);
    expect((await lstat(alias)).isSymbolicLink()).toBe(true);
  });

  test('leaves no log behind that would be played into the new file', async () => {
    const file = await createBackup(retired('2'));
    const path = await newPath();
    // As it is left by a process that was killed: the newest change is in the log alone.
    const running = await newPath();
    await withDatabase(running, async (db) => {
      await fill(db, retired('1'));
      for (const suffix of ['', '-wal', '-shm']) {
        await copyFile(`${running}${suffix}`, `${path}${suffix}`);
      }
    });
    const kept = (await restore(path, file, now)) ?? '';
    expect(await filesLike(path)).toEqual([basename(path), basename(kept)]);
    expect(await retiredIn(path)).toEqual(['2']);
    expect(await retiredIn(kept)).toEqual(['1']);
  });

  test('replaces what is no database any more, and keeps that, too', async () => {
    const file = await createBackup(retired('2'));
    const path = await newPath();
    for (const suffix of ['', '-journal', '-shm']) {
      await writeFile(`${path}${suffix}`, `rubbish${suffix} `.repeat(999));
    }
    const kept = (await restore(path, file, now)) ?? '';
    expect(await filesLike(path)).toEqual([basename(path), basename(kept)]);
    expect(await readFile(kept, 'utf8')).toContain('rubbish');
    expect(await retiredIn(path)).toEqual(['2']);
  });

  test('sets logs aside that have no database', async () => {
    const file = await createBackup(retired('2'));
    const path = await newPath();
    for (const suffix of ['-wal', '-journal', '-shm']) {
      await writeFile(`${path}${suffix}`, `rubbish${suffix}`);
    }
    expect(await restore(path, file, now)).toBe(undefined);
    const kept = `${basename(path)}.before-20300101T120000.000Z`;
    expect(await filesLike(path)).toEqual([basename(path), `${kept}-journal`, `${kept}-wal`]);
    expect(await retiredIn(path)).toEqual(['2']);
  });

  test('makes a database where there was none, from a file that cannot be written', async () => {
    const file = await createBackup(retired('2'));
    await chmod(file, 0o400);
    const path = join(await newPath(), 'deep', 'x.sqlite');
    expect(await restore(path, file, now)).toBe(undefined);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await retiredIn(path)).toEqual(['2']);
    expect(await retiredIn(file)).toEqual(['2']);
  });

  test('refuses while the database is open', async () => {
    const file = await createBackup();
    const path = await createClosed(retired('1'));
    // By the same driver: of another one's locks the same process knows nothing.
    await withSqliteFile(path, async (ask) => {
      await ask('select id from retired_ids');
      await expect(restore(path, file, now)).rejects.toThrow(
        'The database is in use: stop the servers first.',
      );
      await ask("insert into retired_ids (kind, id) values ('k', 3)");
    });
    expect(await retiredIn(path)).toEqual(['1', '3']);
    expect(await filesLike(path)).toEqual([basename(path)]);
  });

  const made = async (...statements: string[]): Promise<string> => {
    const file = await createBackup(hardRows);
    await withSqliteFile(file, async (ask) => {
      for (const sql of statements) await ask(sql);
    });
    return file;
  };

  const overwrite = async (file: string, from: number, to: number): Promise<string> => {
    const content = await readFile(file);
    content.fill(7, from, to);
    await writeFile(file, content);
    return file;
  };

  /** A file of that content. */
  const holding = async (content: string | Uint8Array): Promise<string> => {
    const file = await newPath();
    await writeFile(file, content);
    return file;
  };

  const damaged = /^The file ".*" is (no database, or a damaged one|damaged: .*)\.$/s;
  const foreign = /^The file ".*" is no database of these services\.$/;
  const inUse = /^The file ".*" has a log beside it: it is in use, or no backup\.$/;

  test.each<[string, RegExp, () => Promise<string>]>([
    ['is missing', /^There is no file ".*"\.$/, newPath],
    [
      'is no database',
      /^The file ".*" is no database, or a damaged one\.$/,
      async () => overwrite(await createBackup(), 0, 100),
    ],
    [
      'is cut off',
      damaged,
      async () => holding((await readFile(await createBackup(hardRows))).subarray(0, -8192)),
    ],
    [
      'is damaged in the middle',
      damaged,
      async () => overwrite(await createBackup(hardRows), 4096, 16_384),
    ],
    ['is empty', foreign, () => holding('')],
    ["is somebody else's", foreign, () => made('drop table knex_migrations')],
    [
      'was written by a newer version',
      /^The file ".*" is refused: it was written by a newer version of this program \(migration 9999-future; version .*\), so run that version\.$/,
      () => made(`insert into knex_migrations (name) values ('9999-future')`),
    ],
    [
      'is open elsewhere, with its log beside it',
      inUse,
      async () => {
        const path = await newPath();
        await fill(await databases().open(`sqlite:${path}`), retired('1'));
        return path;
      },
    ],
  ])('refuses a backup that %s, and changes nothing', async (_, sentence, makeFile) => {
    const path = await createClosed(retired('1'));
    await expect(restore(path, await makeFile(), now)).rejects.toThrow(sentence);
    expect(await filesLike(path)).toEqual([basename(path)]);
    expect(await retiredIn(path)).toEqual(['1']);
  });

  test('refuses the database itself', async () => {
    const path = await createClosed(retired('1'));
    await expect(restore(path, path, now)).rejects.toThrow(
      `The file "${path}" is the database itself.`,
    );
  });
});
