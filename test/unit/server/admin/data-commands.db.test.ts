import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { parseApiDocument, schemaContext } from '../../../../src/engine';
import { itemSchemas } from '../../../../src/host/item-schemas';
import { adminService } from '../../../../src/server/admin/admin-context';
import type { ServiceStorage } from '../../../../src/storage/storage';
import { collectionOf, fileSettings, openFilledStorage } from '../../../support/open-storage';
import { readPages } from '../../../support/read-serialized';
import { testSessions } from '../../../support/sessions';
import { useTemporaryDatabase } from '../../storage/temporary-database';
import { done, failed, runIn } from './run-command';

const temporary = useTemporaryDatabase();

const collections = {
  pets: { schema: 'Pet', lookups: ['status'], counts: ['status'] },
  notes: { schema: 'Note' },
} as const;

const accounts = { schema: 'User' } as const;

const documentOf = (petProperties: string, user: string) =>
  parseApiDocument(
    'specs/shop.yaml',
    `
openapi: 3.0.3
info: { title: Shop, version: '1' }
paths: {}
components:
  schemas:
    Pet: { type: object, properties: { id: { type: integer, format: int64 }, ${petProperties} } }
    Note: { type: object, properties: { text: { type: string } } }
    User:
      type: object
      ${user}
`,
  );

const userProperties =
  'id: { type: integer, format: int64 }, username: { type: string }, password: { type: string, writeOnly: true }';

const former = documentOf(
  'status: { type: string }, name: { type: string }',
  `properties: { ${userProperties}, phone: { type: string } }`,
);
const today = documentOf(
  'status: { type: string, enum: [free, sold] }, title: { type: string, maxLength: 8 }',
  `required: [mail]
      properties: { ${userProperties}, phone: { type: string, maxLength: 4 }, mail: { type: string } }`,
);

let service = '';
let services = 0;

const openUnder = (document: typeof former, db = temporary.db): Promise<ServiceStorage> =>
  openFilledStorage(db, {
    service,
    collections,
    accounts,
    schemaOf: (one) => itemSchemas(document, schemaContext(document))(one),
    files: fileSettings,
  });

interface Pet {
  readonly id: bigint;
  readonly status?: string;
  readonly name?: string;
  readonly title?: string;
}

/** Stores pets 1 to `count` under the former document: every third is `gone`, the others are free. */
const store = async (count: number): Promise<void> => {
  services += 1;
  service = `shop${services}`;
  const pets = collectionOf<Pet>(await openUnder(former), 'pets');
  const ids = Array.from({ length: count }, (_, at) => BigInt(at + 1));
  await Promise.all(
    ids.map((id) =>
      pets.insert({ id, status: id % 3n === 0n ? 'gone' : 'free', name: `Pet ${id}` }),
    ),
  );
};

/** Runs a command under today's document; the file exports these functions. */
const run = (
  words: string,
  exported: Readonly<Record<string, unknown>> = {},
  unserved: readonly string[] = [],
) =>
  runIn(
    {
      unserved,
      services: [{ ...adminService(today, accounts, collections), name: service }],
      database: async () => temporary.db,
      loadModule: async () => exported,
    },
    words.replace('SHOP', service).split(' '),
  );

const migrate = 'data migrate --service SHOP --with /somewhere/rename.ts';

/** The migration that is meant: the name becomes the title, and what is gone is sold. */
const rename = ({ id, status, name, title }: Pet) => ({
  id,
  status: status === 'gone' ? 'sold' : status,
  title: title ?? name,
});

const petsOf = async (): Promise<Pet[]> =>
  readPages(collectionOf<Pet>(await openUnder(today), 'pets').list());

const modules: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'rename.ts': { pets: rename },
  'longer.ts': { pets: ({ id }: Pet) => ({ id, title: id > 2n ? 'longer than 8' : 'short' }) },
  'promise.ts': { pets: () => Promise.resolve({ title: 'late' }) },
  'list.ts': { pets: () => [] },
  'null.ts': { pets: () => null },
  'text.ts': { pets: () => 'text' },
  'other.ts': { other: rename },
};

testSessions(join(__dirname, 'data-commands.session.txt'), async (command) => {
  if (command.startsWith('store ')) {
    await store(Number(command.slice('store '.length)));
    return { exitCode: 0, out: '', err: '' };
  }
  if (command === 'pets') {
    const lines = (await petsOf()).map(({ id, status, title }) => `${id} ${status} ${title}\n`);
    return { exitCode: 0, out: lines.join(''), err: '' };
  }
  const [file = ''] = /[\w-]+\.ts/.exec(command) ?? [];
  const { exitCode, out, err } = await run(command, modules[file]);
  const called = (text: string): string => text.replaceAll(service, 'SHOP');
  return { exitCode, out: called(out), err: called(err) };
});

describe('data check', () => {
  beforeEach(() => store(10));

  test('judges the addresses of files as they are answered', async () => {
    const document = parseApiDocument(
      'specs/travel.yaml',
      `
openapi: 3.0.3
info: { title: Travel, version: '1' }
servers: [{ url: /travel }]
paths: {}
components:
  schemas:
    Trip:
      type: object
      properties: { id: { type: integer, format: int64 }, photos: { type: array, items: { type: string, format: uri } } }
`,
    );
    const trips = { trips: { schema: 'Trip', files: true } };
    const name = `travel of ${service}`;
    const url = (id: string) => `https://travel.example/travel/files/${id}`;
    const storage = await openFilledStorage(temporary.db, {
      service: name,
      collections: trips,
      accounts: undefined,
      schemaOf: (one) => itemSchemas(document, schemaContext(document), { fileUrl: url })(one),
      files: { ...fileSettings, url },
    });
    const collection = collectionOf<{ photos?: readonly string[] }>(storage, 'trips');
    await collection.insert({});
    await collection.attach(1n, Buffer.from('photo'), (old, photo) => ({
      ...old,
      photos: [photo],
    }));
    const services = [{ ...adminService(document, undefined, trips), name }];
    const database = async () => temporary.db;
    expect(await runIn({ services, database }, ['data', 'check'])).toEqual(
      done('All 1 stored items fit the document.\n'),
    );
  });

  test('says what it could not check', async () => {
    await run(migrate, { pets: rename });
    expect(await run('data check', {}, ['specs/box.yaml:2:1 error: No.'])).toEqual({
      exitCode: 1,
      out: 'specs/box.yaml:2:1 error: No.\n',
      err: 'Items of a document that cannot be served were not checked.\n',
    });
  });
});

describe('data migrate', () => {
  test('changes all items, and their indexes and counts, once', async () => {
    await store(450);
    await openUnder(today);
    expect(await run(`${migrate} --dry-run`, { pets: rename })).toEqual(
      done(`${service}/pets: 450 of 450 items would change, 0 would not fit\n`),
    );
    expect((await run('data check')).exitCode).toBe(1);
    expect(await run(migrate, { pets: rename })).toEqual(
      done(`${service}/pets: 450 of 450 items changed\n`),
    );
    const again = await run(migrate, { pets: () => ({ title: 'again' }) });
    expect(again.out).toMatch('"rename.ts" was applied before');
    const pets = await petsOf();
    expect(pets).toHaveLength(450);
    expect(pets[2]).toEqual({ id: 3n, status: 'sold', title: 'Pet 3' });
    const collection = collectionOf<Pet>(await openUnder(today), 'pets');
    expect(await collection.count('status')).toEqual({ free: 300, sold: 150 });
    expect(await readPages(collection.find('status', ['sold']))).toHaveLength(150);
  });

  test('goes on where it was stopped, and calls the function for each item once', async () => {
    await store(450);
    const appended = ({ id, title = '' }: Pet) => ({ id, title: `${title}x` });
    const stopped = (pet: Pet) => {
      if (pet.id === 300n) throw new Error('Killed');
      return appended(pet);
    };
    expect((await run(migrate, { pets: stopped })).err).toBe(
      `${service}/pets/300: rename.ts failed: Killed\n`,
    );
    expect((await run(migrate, { pets: appended })).out).toBe(
      `${service}/pets: 250 of 250 items changed\n`,
    );
    expect(new Set((await petsOf()).map(({ title }) => title))).toEqual(new Set(['x']));
  });

  test('loses no change that is made meanwhile', async () => {
    await store(450);
    const elsewhere = await openUnder(today, await temporary.openAnother());
    const pets = collectionOf<Pet>(elsewhere, 'pets');
    const ids = Array.from({ length: 40 }, (_, at) => BigInt(at * 11 + 1));
    const change = (id: bigint) => pets.update(id, (old) => ({ ...old, id, status: 'sold' }));
    const [outcome] = await Promise.all([run(migrate, { pets: rename }), ...ids.map(change)]);
    expect(outcome.exitCode).toBe(0);
    const changed = (await petsOf()).filter(({ id }) => ids.includes(id));
    expect(new Set(changed.map(({ status }) => status))).toEqual(new Set(['sold']));
  });
});

describe('users', () => {
  interface User {
    readonly id?: bigint;
    readonly username?: string;
    readonly phone?: string;
    readonly mail?: string;
  }

  const usersIn = async (document: typeof former) => {
    const { users } = await openUnder(document);
    if (users === undefined) throw new Error('The service has no users');
    return users;
  };

  /** Gives ben a name that only earlier versions took. */
  const renameBen = (username: string) => {
    const { knex } = temporary.db;
    const document = knex.raw('replace(document, ?, ?)', ['"ben"', JSON.stringify(username)]);
    return knex('users')
      .where({ service, username: 'ben' })
      .update({ username, username_key: username, document });
  };

  /** Takes cid's name away: earlier versions took users without one. */
  const removeCidsName = () => {
    const { knex } = temporary.db;
    const document = knex.raw('replace(document, ?, ?)', ['"username":"cid",', '']);
    return knex('users')
      .where({ service, username: 'cid' })
      .update({ username: null, username_key: null, comparable_key: null, document });
  };

  /** Reads the rows of the users. */
  const rows = () => temporary.db.knex('users').where({ service }).orderBy('id').select();

  const addMail = ({ username = 'nobody', phone, ...rest }: User) => ({
    ...{ ...rest, mail: `${username}@here` },
    ...(phone !== undefined && { phone: phone.slice(0, 4) }),
  });

  beforeEach(async () => {
    await store(1);
    const given: (User & { readonly password?: string })[] = [
      { username: 'ann', phone: '12345', password: 'open sesame' },
      { username: 'ben' },
      { username: 'cid', phone: '12345' },
    ];
    const stored = await usersIn(former);
    for (const user of given) await stored.insert(user, `hash of ${user.username}`);
    await renameBen('b"\nen');
    await removeCidsName();
  });

  test('are checked with the items, and named', async () => {
    const must = 'must be at most 4 characters long';
    expect(await run('data check --service SHOP')).toEqual({
      exitCode: 1,
      out: [
        `${service}/users: /mail must have the property "mail": 3 (ids "ann", "b\\"\\nen", 3)\n`,
        `${service}/users: /phone ${must}: 2 (ids "ann", 3)\n`,
      ].join(''),
      err: '3 of 4 stored items do not fit the document.\n',
    });
  });

  test('are migrated; their ids, names and passwords stay', async () => {
    const before = await rows();
    const seen: object[] = [];
    const users = (old: User) => {
      seen.push(old);
      return { ...addMail(old), id: 77n };
    };
    expect((await run(`${migrate} --dry-run`, { users })).out).toBe(
      `${service}/users: 3 of 3 items would change, 0 would not fit\n`,
    );
    expect(await rows()).toEqual(before);
    seen.length = 0;
    const outcome = await run(`${migrate} --collection users`, { users, pets: rename });
    expect(outcome).toEqual(done(`${service}/users: 3 of 3 items changed\n`));
    expect(seen).toEqual([
      { id: 1n, username: 'ann', phone: '12345' },
      { id: 2n, username: 'b"\nen' },
      { id: 3n, phone: '12345' },
    ]);
    const login = ({ document: _, format: __, ...rest }: Record<string, unknown>) => rest;
    expect((await rows()).map(login)).toEqual(before.map(login));
    const stored = await usersIn(today);
    expect((await stored.get('ann'))?.read()).toEqual({
      id: 1n,
      username: 'ann',
      phone: '1234',
      mail: 'ann@here',
    });
    expect((await run('data check --service SHOP')).exitCode).toBe(0);
    expect((await run(migrate, { users })).out).toContain('was applied before');
  });

  test.each<[string, (old: User) => object, string]>([
    [
      'another name',
      (old) => ({ ...addMail(old), username: 'ann2' }),
      '/username may not be changed',
    ],
    ['a password', (old) => ({ ...addMail(old), password: 'new one' }), '/password may not be set'],
  ])('are not given %s', async (_, users, sentence) => {
    const before = await rows();
    const rehearsed = await run(`${migrate} --dry-run`, { users });
    expect([rehearsed.exitCode, rehearsed.out]).toEqual([
      1,
      [
        `${service}/users: 0 of 3 items would change, 3 would not fit\n`,
        `${service}/users: ${sentence} by a migration: 3 (ids "ann", "b\\"\\nen", 3)\n`,
      ].join(''),
    ]);
    expect(await run(migrate, { users })).toEqual(
      failed(
        `${service}/users/"ann": what rename.ts makes of it cannot be stored: ${sentence} by a migration\n`,
      ),
    );
    expect(await rows()).toEqual(before);
  });
});
