/**
 * Keys of ads in SQLite without a sequence: it keeps the key of an ad that is gone from coming again, and no ad goes. That was
 * one page of two that adding an ad writes. PostgreSQL's sequences are no rows.
 */

import type { Knex } from 'knex';
import { isPostgres } from '../sql/dialect';
import { remakeTable } from './remake-table';

// sqlite.org/autoinc.html
const remakeAds = (db: Knex, sequence: 'autoincrement' | ''): Promise<void> =>
  remakeTable(db, {
    name: 'ads',
    columns: ['key', 'service', 'author', 'document', 'format'],
    definition: `"key" integer not null primary key ${sequence}, service text not null,
      author text not null, document text not null, format text not null default ''`,
    key: ['key'],
  });

export const adsWithoutSequence: Knex.Migration = {
  async up(db) {
    if (!isPostgres(db)) await remakeAds(db, '');
  },
};
