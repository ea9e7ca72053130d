/** The peers' SQL on SQLite: credentials and data in one statement wherever one will do. */

import Database from 'better-sqlite3';
import type { Pet } from './checks';
import {
  type Caller,
  type Found,
  type FoundList,
  type Row,
  type StatusCount,
  type Store,
  type StoredCredentials,
  tagNames,
} from './store';

const schema = `
  CREATE TABLE IF NOT EXISTS api_keys (hash TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS tokens (
    hash TEXT PRIMARY KEY, user TEXT NOT NULL, scopes TEXT NOT NULL, expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  -- A document is JSON text without its id; AUTOINCREMENT, because an id is never assigned twice.
  CREATE TABLE IF NOT EXISTS pets (
    id INTEGER PRIMARY KEY AUTOINCREMENT, status TEXT, document TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS pets_by_status ON pets (status);
  CREATE TABLE IF NOT EXISTS pet_tags (
    name TEXT NOT NULL, pet_id INTEGER NOT NULL REFERENCES pets ON DELETE CASCADE,
    PRIMARY KEY (name, pet_id)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS tags_by_pet ON pet_tags (pet_id);
  CREATE TABLE IF NOT EXISTS orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT, document TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS ads (
    key INTEGER PRIMARY KEY, author TEXT NOT NULL, document TEXT NOT NULL
  );`;

const open = (path: string, { keyHash, tokens, expiresAt }: StoredCredentials) => {
  const db = new Database(path);
  db.pragma('busy_timeout = 5000');
  db.pragma('journal_mode = WAL');
  // With FULL a confirmed write survives a power cut.
  db.pragma(`synchronous = ${process.env['SYNCHRONOUS'] ?? 'FULL'}`);
  db.pragma('foreign_keys = ON');
  db.exec(schema);
  db.prepare('INSERT OR IGNORE INTO api_keys VALUES (?)').run(keyHash);
  const addToken = db.prepare('INSERT OR IGNORE INTO tokens VALUES (?, ?, ?, ?)');
  for (const { hash, user, scopes } of tokens) addToken.run(hash, user, scopes, expiresAt);
  return db;
};

// The database assigns the id, so the text is completed where it is read.
const whole = `'{"id":' || id || ',' || substr(document, 2)`;

const listOf = (condition: string): string => `
  SELECT t.scopes, '[' || (
    SELECT coalesce(group_concat(text, ','), '') FROM (
      SELECT ${whole} AS text FROM pets WHERE ${condition} ORDER BY id
    )
  ) || ']' AS list FROM tokens t WHERE t.hash = ? AND t.expires_at > ?`;

/** Opens the file, makes the tables where they are missing, and prepares the statements. */
export const sqliteStore = (path: string, credentials: StoredCredentials): Store => {
  const db = open(path, credentials);
  const first = <Result>(text: string) => {
    const statement = db.prepare<unknown[], Result>(text);
    return (...values: unknown[]): Result | undefined => statement.get(...values);
  };
  const key = first('SELECT 1 FROM api_keys WHERE hash = ?');
  // SQLite finds the rows of one status in the order of their ids; where there may be several it reads the whole table.
  const byStatus = first<FoundList>(listOf('status = ?'));
  const byStatuses = first<FoundList>(listOf('status IN (SELECT value FROM json_each(?))'));
  const byTags = first<FoundList>(
    listOf(`id IN (
      SELECT pet_id FROM pet_tags WHERE name IN (SELECT value FROM json_each(?)))`),
  );
  const inventory = db.prepare<[string], StatusCount>(`
    SELECT p.status, p.count FROM api_keys k LEFT JOIN (
      SELECT status, count(*) AS count FROM pets WHERE status IS NOT NULL GROUP BY status
    ) p WHERE k.hash = ?`);
  const insertPet = first<Row>(
    'INSERT INTO pets (id, status, document) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING id',
  );
  const updatePet = first('UPDATE pets SET status = ?, document = ? WHERE id = ? RETURNING id');
  const addTags = db.prepare(
    'INSERT INTO pet_tags (name, pet_id) SELECT value, ? FROM json_each(?)',
  );
  const dropTags = db.prepare('DELETE FROM pet_tags WHERE pet_id = ?');
  const insertOrder = first<Row>(
    'INSERT INTO orders (id, document) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id',
  );
  const insertAd = db.prepare('INSERT INTO ads (author, document) VALUES (?, ?)');

  const addPet = db.transaction((added: Pet, document: string): number | undefined => {
    const id = insertPet(added.id ?? null, added.status ?? null, document)?.id;
    if (id !== undefined && added.tags !== undefined) {
      addTags.run(id, JSON.stringify(tagNames(added)));
    }
    return id;
  });

  const replacePet = db.transaction((id: number, changed: Pet, document: string): boolean => {
    if (updatePet(changed.status ?? null, document, id) === undefined) return false;
    dropTags.run(id);
    if (changed.tags !== undefined) addTags.run(id, JSON.stringify(tagNames(changed)));
    return true;
  });

  return {
    knowsKey: (hash) => key(hash) !== undefined,
    token: first<Caller>('SELECT user, scopes FROM tokens WHERE hash = ? AND expires_at > ?'),
    pet: first<Row>('SELECT id, document FROM pets WHERE id = ?'),
    petByKey: first<Found>(
      'SELECT p.id, p.document FROM api_keys k LEFT JOIN pets p ON p.id = ? WHERE k.hash = ?',
    ),
    petByToken: first<Found>(`
      SELECT t.scopes, p.id, p.document FROM tokens t LEFT JOIN pets p ON p.id = ?
      WHERE t.hash = ? AND t.expires_at > ?`),
    byStatus: ([status = '', ...more], hash, now) =>
      more.length === 0
        ? byStatus(status, hash, now)
        : byStatuses(JSON.stringify([status, ...more]), hash, now),
    byTags: (tags, hash, now) => byTags(JSON.stringify(tags), hash, now),
    inventory: (hash) => inventory.all(hash),
    order: first<Row>('SELECT id, document FROM orders WHERE id = ?'),
    addOrder: (id, document) => insertOrder(id ?? null, document)?.id,
    addAd: (author, document) => void insertAd.run(author, document),
    addPet: (added, document) => addPet.immediate(added, document),
    replacePet: (id, changed, document) => replacePet.immediate(id, changed, document),
    close() {
      // Statistics of all tables (0x10000), as far as they are worth it (0x02).
      db.pragma('optimize = 0x10002');
      db.close();
    },
  };
};
