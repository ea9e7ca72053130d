/** Empty databases of both kinds for tests of copying, and rows that are hard to copy. */

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import {
  closeDatabase,
  type Database,
  openDatabase,
} from '../../../../src/storage/database/database';
import { type NewDatabase, newDatabase } from '../../../support/new-database';

/** `postgres` is there in files named `.postgres.test.ts` alone. */
export type Kind = 'sqlite' | 'postgres';

/** Databases of one test file; all are gone after its tests. */
export interface Databases {
  /** A folder for files. */
  readonly folder: string;
  /** The URL of a new, empty database. */
  create(kind: Kind): Promise<string>;
  /** Opens a database; it is closed after the tests. */
  open(url: string): Promise<Database>;
}

/** Makes databases where they are asked for. */
export const useDatabases = (): (() => Databases) => {
  let folder = '';
  const made: NewDatabase[] = [];
  const opened: Database[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'copy-'));
  });
  afterAll(async () => {
    await Promise.all(opened.map(closeDatabase));
    for (const database of made) await database.remove();
    await rm(folder, { recursive: true });
  });
  return () => ({
    folder,
    async create(kind) {
      if (kind === 'sqlite') return `sqlite:${join(folder, randomUUID())}`;
      const database = await newDatabase();
      made.push(database);
      return database.url;
    },
    async open(url) {
      const db = await openDatabase(url, { connections: 3 });
      opened.push(db);
      return db;
    },
  });
};

const largest = (2n ** 63n - 1n).toString();
const smallest = (-(2n ** 63n)).toString();
const now = Date.UTC(2030, 0, 1, 12, 0, 0, 123);
const controls = String.fromCharCode(...Array.from({ length: 31 }, (_, at) => at + 1));
const everyByte = Buffer.from(Array.from({ length: 256 }, (_, at) => at));

/** Rows of every table: int64 at its ends, texts and bytes of all kinds, absent values. */
export const hardRows: Readonly<Record<string, readonly object[]>> = {
  collections: [
    { key: '2', service: 's', name: 'pets' },
    { key: '3', service: 'S', name: 'Pets' },
  ],
  walks: [
    {
      ...{ service: 's', collection: 'pets', task: 'rename.ts' },
      ...{ walked_to: largest, is_complete: '0' },
    },
    {
      ...{ service: 'S', collection: 'Pets', task: 'other.ts' },
      ...{ walked_to: null, is_complete: '1' },
    },
  ],
  collection_indexes: [
    { key: '1', collection: '2', kind: 'lookup', path: 'a.b', is_complete: '1' },
    { key: '3', collection: '2', kind: 'count', path: 'a', is_complete: '0' },
  ],
  items: [
    ...[
      { key: '1', id: largest, document: '{"a":"\'\\"\\u0000"}', format: 'f', owner: null },
      { key: '2', id: smallest, document: '👩‍👩‍👧 ß \u2028 \ufffd', format: '', owner: 'user:a' },
      { key: '3', id: '9007199254740993', document: '', format: '$1 ? ??', owner: '' },
    ].map((row) => ({ ...row, collection: '2' })),
    {
      ...{ key: '9007199254740993', collection: '2147483000', id: '-1', document: controls },
      ...{ format: 'x'.repeat(3000), owner: "a\tb'; drop table items; --" },
    },
  ],
  // In this order for some, and in another one for others.
  item_index: ['a', 'B', 'ä', 'Z', 'b', '_', ' ', "'--", '👍', ''].map((value) => ({
    ...{ index_key: '1', value, id: largest, item: '1' },
  })),
  // Keys that sort by their bytes.
  item_sort_keys: ['sa\u0001\u0001', 's\u{10ffff}', 'n0~', '~'].map((key, at) => ({
    ...{ index_key: '5', id: [largest, smallest, '0', '-1'][at], key },
  })),
  secrets: [{ name: 'cursors', value: 'a-secret_' }],
  jobs: [
    { service: 'a', name: 'remind', holder: null, began_at: '9007199254740993', held_until: '0' },
  ],
  value_counts: [
    { index_key: '3', value: 'sold', shard: '63', count: '-5' },
    { index_key: '3', value: '', shard: '0', count: largest },
  ],
  item_files: [
    { id: 'all', owner: 'user:Zoë', media_type: 'x/y', bytes: everyByte },
    { id: 'none', owner: null, media_type: '', bytes: Buffer.alloc(0) },
  ].map((row) => ({ ...row, service: 's', collection: '2', item_id: smallest })),
  id_counters: [{ name: 's/pets', next: largest, retired: largest }],
  retired_ids: [{ kind: 's/pets', id: largest }],
  users: [
    {
      ...{
        key: '7',
        service: 's',
        id: smallest,
        username: 'Zoë',
        username_key: 'Zoë',
        comparable_key: 'zoë',
      },
      ...{ password_hash: '$scrypt$…', document: '{}', format: 'f', disabled_at: String(now) },
    },
    {
      ...{
        key: '2147483000',
        service: 's',
        id: largest,
        username: null,
        username_key: null,
        comparable_key: null,
      },
      ...{ password_hash: null, document: '{}', format: '', disabled_at: null },
    },
  ],
  sign_in_networks: [
    { user_key: '7', network: 'h', used_at: String(now) },
    { user_key: '7', network: '', used_at: '253402300799999' },
  ],
  tokens: [
    {
      ...{ key: '12', hash: 'h', kind: 'login', user_key: '7', scopes: '', client: null },
      ...{ resources: null, created_at: String(now), expires_at: String(now - 1) },
    },
    {
      ...{ key: '11', hash: 'i', kind: 'access-token', user_key: '2147483000', scopes: 'a b' },
      ...{ client: 'c', resources: 'https://x/a https://x/b' },
      ...{ created_at: String(now), expires_at: '253402300799999' },
    },
  ],
  api_keys: [
    {
      ...{
        key: '1',
        service: 's',
        label: 'l',
        hash: 'h',
        created_at: String(now),
        revoked_at: null,
      },
      ...{ previous_hash: 'g', previous_created_at: '0', previous_until: '253402300799999' },
    },
  ],
  clients: [
    {
      ...{ key: '1', service: 's', client_id: 'c', name: 'n', redirect_uris: '["https://x"]' },
      flows: null,
    },
    {
      key: '2',
      service: 's',
      client_id: 'd',
      name: 'n',
      redirect_uris: 'https://x',
      flows: 'code',
    },
  ],
  oauth_codes: [
    {
      ...{ hash: 'h', service: 's', client: 'c', user_key: '7', redirect_uri: 'https://x/' },
      ...{ challenge: 'd', scopes: 'a b', expires_at: String(now), token_hash: 'i' },
      ...{ resources: 'https://x/', forget_at: '253402300799999' },
    },
    {
      ...{ hash: 'i', service: 's', client: 'c', user_key: '7', redirect_uri: null },
      ...{ challenge: 'd', scopes: '', expires_at: String(now), token_hash: null },
      ...{ resources: null, forget_at: String(now) },
    },
  ],
  device_codes: [
    {
      ...{ hash: 'h', service: 's', user_code_hash: 'u', client: 'c', user_key: '7' },
      ...{ scopes: 'a b', is_denied: '0', expires_at: '253402300799999', poll_seconds: '5' },
      ...{ resources: 'https://x/', next_poll_at: String(now) },
    },
    {
      ...{ hash: 'i', service: 's', user_code_hash: 'v', client: 'c', user_key: null },
      ...{ scopes: '', is_denied: '1', expires_at: String(now), poll_seconds: '10' },
      ...{ resources: null, next_poll_at: '0' },
    },
  ],
  event_counts: [{ name: 'calls/7', count: '3', expires_at: String(now) }],
};

/** Puts rows into their tables, in the given order of the tables. */
export const fill = async (
  { knex: db }: Database,
  rows: Readonly<Record<string, readonly object[]>>,
): Promise<void> => {
  for (const [table, list] of Object.entries(rows)) {
    // SQLite takes some hundred at once.
    await db.batchInsert(table, [...list], 100);
  }
};

/** Reads the columns of the rows back: text for integers, sorted by nothing but this process. */
export const readBack = async (
  { knex: db }: Database,
  rows: Readonly<Record<string, readonly object[]>>,
): Promise<Record<string, unknown[]>> => {
  const found: Record<string, unknown[]> = {};
  for (const [table, list] of Object.entries(rows)) {
    const columns = Object.entries(list[0] ?? {}).map(([name, value]) =>
      Buffer.isBuffer(value) ? name : db.raw('cast(?? as text) as ??', [name, name]),
    );
    found[table] = sorted(await db(table).select(columns));
  }
  return found;
};

/** In an order that is the same for all. */
export const sorted = (rows: readonly object[]): object[] => {
  const nameOf = (row: object): string => JSON.stringify(Object.entries(row).sort());
  return [...rows].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
};
