import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { until } from '../../scripts/machine/until';
import { closeDatabase, openDatabase } from '../../src/storage/database/database';
import { issuePetToken } from '../support/access-token';
import { askAt } from '../support/ask';
import { expectOk } from '../support/expect-ok';
import { useProgram } from '../support/program';
import { countItems } from '../support/stored-items';
import { refused } from '../unit/server/admin/run-command';
import { useDatabases } from '../unit/storage/copy/copy-databases';

const program = useProgram();
const databases = useDatabases();

const statuses = ['available', 'pending', 'sold'] as const;

/** Adds pets and changes their status, several at a time, until it is stopped; resolves to how many were added. */
const startLoad = (origin: string, token: string) => {
  const ask = askAt(origin);
  let isStopped = false;
  let added = 0;
  const one = async (client: number): Promise<void> => {
    for (let turn = client; !isStopped; turn += 1) {
      const status = statuses[turn % 3];
      const pet = { name: `${client}`, status, photoUrls: [], tags: [{ name: `t${turn % 5}` }] };
      const posted = expectOk(await ask('POST /petstore/pet', { token, body: pet }));
      const { id } = posted as { id: number };
      added += 1;
      const changed = { ...pet, id, status: statuses[(turn + 1) % 3] };
      expectOk(await ask('PUT /petstore/pet', { token, body: changed }));
    }
  };
  const clients = Promise.all([0, 1].map(one));
  return {
    added: () => added,
    async stop() {
      isStopped = true;
      await clients;
    },
  };
};

/** Pets by status as they are counted, and as they are. */
const countsIn = async (path: string) => {
  const db = await openDatabase(`sqlite:${path}`);
  type Counted = { status: string; count: number }[];
  const indexed = (kind: string) => `join collection_indexes on collection_indexes.key = index_key
    join collections on collections.key = collection_indexes.collection
    where service = 'petstore' and name = 'pets' and path = 'status' and kind = '${kind}'
    group by value order by value`;
  const kept: Counted = await db.knex.raw(
    `select value as status, sum(count) as count from value_counts ${indexed('count')}`,
  );
  const counted: Counted = await db.knex.raw(
    `select value as status, count(*) as count from item_index ${indexed('lookup')}`,
  );
  const pets = await countItems(db, 'petstore', 'pets');
  expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(pets);
  await closeDatabase(db);
  return { kept, counted };
};

describe('backup and restore by the program', () => {
  test('a backup that is taken while servers write is whole, and can be served', async () => {
    const DATABASE_URL = await databases().create('sqlite');
    const file = join(databases().folder, 'backup.sqlite');
    const server = await program().start({ DATABASE_URL, WORKERS: '2' });
    const token = await issuePetToken(DATABASE_URL);
    const load = startLoad(server.origin, token);
    await until('some pets are added', () => (load.added() > 20 ? true : undefined));
    const taken = await program().admin({ DATABASE_URL }, 'backup', file);
    expect([taken.exitCode, taken.err]).toEqual([0, '']);
    const tried = await program().admin({ DATABASE_URL }, 'restore', '--dry-run', file);
    expect([tried.exitCode, tried.err]).toEqual([0, '']);
    const { kept, counted } = await countsIn(file);
    expect(kept).toEqual(counted);
    expect(await program().admin({ DATABASE_URL }, 'restore', file)).toEqual(
      refused('The database is in use: stop the servers first.\n'),
    );
    await load.stop();
    expect(await server.end('SIGTERM')).toBe(0);

    const restored = await program().admin({ DATABASE_URL }, 'restore', file);
    expect([restored.exitCode, restored.err]).toEqual([0, '']);
    const again = await program().start({ DATABASE_URL });
    const ask = askAt(again.origin);
    const inventory = expectOk(
      await ask('GET /petstore/store/inventory', { key: 'special-key' }),
    ) as Record<string, number>;
    expect(inventory).toMatchObject(
      Object.fromEntries(counted.map(({ status, count }) => [status, count])),
    );
    expectOk(await ask('POST /petstore/pet', { token, body: { name: 'New', photoUrls: [] } }));
    expect(await again.end('SIGTERM')).toBe(0);
  }, 120_000);
});
