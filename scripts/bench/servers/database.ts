/** The SQLite file that the peers share: its tables, and how it is opened. */

import { hash } from 'node:crypto';
import Database from 'better-sqlite3';

export const schema = `
  CREATE TABLE api_keys (hash TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE tokens (
    hash TEXT PRIMARY KEY, user TEXT NOT NULL, scopes TEXT NOT NULL, expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  -- A document is JSON text without its id; AUTOINCREMENT, because an id is never assigned twice.
  CREATE TABLE pets (id INTEGER PRIMARY KEY AUTOINCREMENT, status TEXT, document TEXT NOT NULL);
  CREATE INDEX pets_by_status ON pets (status);
  CREATE TABLE pet_tags (
    name TEXT NOT NULL, pet_id INTEGER NOT NULL REFERENCES pets ON DELETE CASCADE,
    PRIMARY KEY (name, pet_id)
  ) WITHOUT ROWID;
  CREATE INDEX tags_by_pet ON pet_tags (pet_id);
  CREATE TABLE orders (id INTEGER PRIMARY KEY AUTOINCREMENT, document TEXT NOT NULL);
  CREATE TABLE ads (key INTEGER PRIMARY KEY, author TEXT NOT NULL, document TEXT NOT NULL);`;

/** What stands in the database for a key or a token. */
export const digest = (secret: string): string => hash('sha256', secret, 'hex');

/** Opens the file; with `FULL` a confirmed write survives a power cut. */
export const openDatabase = (path: string): Database.Database => {
  const db = new Database(path);
  db.pragma('busy_timeout = 5000');
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  return db;
};
