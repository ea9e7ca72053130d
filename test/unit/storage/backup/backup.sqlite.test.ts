import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { backUp, backUpInto, restore, withSqliteFile } from '../../../../src/storage/backup/backup';
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

/** Breaks a reference, as damage does: SQLite itself would refuse to. */
const orphan = `insert into sign_in_networks (user_key, network, used_at) values (77, 'n', 0)`;

const withOrphan = async (path: string): Promise<string> => {
  await withSqliteFile(path, async (ask) => {
    await ask('pragma foreign_keys = off');
    await ask(orphan);
  });
  return path;
};

describe('backUpInto', () => {
  const newFolder = async (...names: string[]): Promise<string> => {
    const folder = await newPath();
    await mkdir(folder);
    for (const name of names) await writeFile(join(folder, name), name);
    return folder;
  };

  const databaseIn = async (folder: string): Promise<string> => {
    const path = join(folder, 'shop.sqlite');
    await withDatabase(path, (db) => fill(db, retired('1')));
    return path;
  };

  const datedOn = (day: number): string => `shop-2029010${day}T000000.000Z.sqlite`;
  const [first, second, third, fourth] = [datedOn(1), datedOn(2), datedOn(3), datedOn(4)];
  const made = 'shop-20300101T120000.000Z.sqlite';
  const others = [
    ...['shop.sqlite', 'shop-notes.sqlite', 'shop-20290101T000000.000Z.sqlite.bz2'],
    ...[
      'shop-20290101.sqlite',
      'other-20290101T000000.000Z.sqlite',
      'shop-x-20290101T000000.000Z.sqlite',
    ],
  ];

  test.each<[string, number, readonly string[], readonly string[]]>([
    ['deletes none where there are fewer', 3, [first, second], []],
    ['deletes the oldest', 3, [third, first, second, fourth], [second, first]],
    ['keeps itself alone', 1, [first, second], [second, first]],
    ['deletes none of another name', 1, [...others, first], [first]],
    [
      'keeps itself, though files seem newer',
      1,
      ['shop-20310101T000000.000Z.sqlite'],
      ['shop-20310101T000000.000Z.sqlite'],
    ],
  ])('%s', async (_, keep, names, deleted) => {
    const folder = await newFolder(...names);
    const database = await databaseIn(await newFolder());
    const outcome = await backUpInto(database, folder, { keep, now });
    expect(outcome).toMatchObject({
      file: join(folder, made),
      rows: { retired_ids: 1, items: 0 },
      deleted: deleted.map((name) => join(folder, name)),
    });
    const left = [...names.filter((name) => !deleted.includes(name)), made];
    expect(await readdir(folder)).toEqual(left.sort());
    expect(await retiredIn(outcome.file)).toEqual(['1']);
  });

  test('deletes neither folders nor links', async () => {
    const folder = await newFolder();
    await mkdir(join(folder, first));
    await symlink(folder, join(folder, second));
    const { deleted } = await backUpInto(await databaseIn(folder), folder, { keep: 1, now });
    expect(deleted).toEqual([]);
  });

  test.each<[string, (database: string) => Promise<unknown>, string | RegExp]>([
    [
      'is damaged',
      (path) => withOrphan(path),
      /is damaged: a row of "sign_in_networks" refers to none of "users"\.$/,
    ],
    ['is none', (path) => writeFile(path, 'no database, but long '.repeat(99)), 'not a database'],
    ['is missing', (path) => rm(path), /^There is no database/],
  ])('deletes nothing where the database %s', async (_, spoil, sentence) => {
    const folder = await newFolder(first, second);
    const database = await databaseIn(await newFolder());
    await spoil(database);
    await expect(backUpInto(database, folder, { keep: 1, now })).rejects.toThrow(sentence);
    expect(await readdir(folder)).toEqual([first, second]);
  });

  test('wants a folder that is there', async () => {
    const database = await createClosed();
    for (const folder of [await newPath(), database]) {
      await expect(backUpInto(database, folder, { keep: 1, now })).rejects.toThrow(
        `There is no folder "${folder}".`,
      );
    }
  });
});

describe('restore', () => {
  /** Restores the database; resolves to the path under which the old one is kept, or nothing. */
  const restored = async (path: string, file: string): Promise<string> =>
    (await restore(path, file, { now })).previous ?? '';

  test('brings everything back, and keeps what was there', async () => {
    const file = await createBackup(hardRows);
    const path = await createClosed(retired('1'));
    const kept = await restored(path, file);
    expect(await contentOf(path)).toEqual(await contentOf(file));
    expect(await retiredIn(kept)).toEqual(['1']);
  });

  test('replaces what a symbolic link leads to, and not the link', async () => {
    const file = await createBackup(retired('2'));
    const path = await createClosed(retired('1'));
    const alias = await newPath();
    await symlink(path, alias);
    const kept = await restored(alias, file);
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
    const kept = await restored(path, file);
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
    const kept = await restored(path, file);
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
    expect(await restored(path, file)).toBe('');
    const kept = `${basename(path)}.before-20300101T120000.000Z`;
    expect(await filesLike(path)).toEqual([basename(path), `${kept}-journal`, `${kept}-wal`]);
    expect(await retiredIn(path)).toEqual(['2']);
  });

  test('makes a database where there was none, from a file that cannot be written', async () => {
    const file = await createBackup(retired('2'));
    await chmod(file, 0o400);
    const path = join(await newPath(), 'deep', 'x.sqlite');
    expect(await restored(path, file)).toBe('');
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
      await expect(restore(path, file, { now })).rejects.toThrow(
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
    [
      'has an index that misses a row',
      /^The file ".*" is damaged: row \d+ missing from index name_of_pets\.$/,
      () =>
        made(
          'create table pets (a text, b text)',
          "insert into pets values ('one', 'two')",
          'create index name_of_pets on pets (a)',
          'pragma writable_schema = on',
          "update sqlite_master set sql = 'create index name_of_pets on pets (b)' where name = 'name_of_pets'",
        ),
    ],
    ['is empty', foreign, () => holding('')],
    ["is somebody else's", foreign, () => made('drop table knex_migrations')],
    [
      'was written by a newer version',
      /^The file ".*" is refused: it was written by a newer version of this program \(migration 9999-future; version .*\), so run that version\.$/,
      () => made(`insert into knex_migrations (name) values ('9999-future')`),
    ],
    [
      'has a row that refers to none',
      /is damaged: a row of "sign_in_networks" refers to none of "users"\.$/,
      async () => withOrphan(await createBackup()),
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
    const file = await makeFile();
    await expect(restore(path, file, { now, dryRun: true })).rejects.toThrow(sentence);
    await expect(restore(path, file, { now })).rejects.toThrow(sentence);
    expect(await filesLike(path)).toEqual([basename(path)]);
    expect(await retiredIn(path)).toEqual(['1']);
  });

  test('can be tried while the database is open, and counts the rows', async () => {
    const file = await createBackup(hardRows);
    const path = await newPath();
    await withDatabase(path, async (db) => {
      await fill(db, retired('1'));
      const before = await filesLike(path);
      const { rows } = await restore(path, file, { now, dryRun: true });
      expect(rows).toMatchObject(
        Object.fromEntries(Object.entries(hardRows).map(([name, made]) => [name, made.length])),
      );
      expect(Object.keys(rows).filter((name) => /^(knex|sqlite)/.test(name))).toEqual([]);
      expect(await filesLike(path)).toEqual(before);
    });
    expect(await retiredIn(path)).toEqual(['1']);
  });

  test('refuses the database itself', async () => {
    const path = await createClosed(retired('1'));
    await expect(restore(path, path, { now })).rejects.toThrow(
      `The file "${path}" is the database itself.`,
    );
  });
});
