/**
 * Orders in SQLite without rows beside the index of their ids: that was one page of three that placing an order writes. Orders
 * are short, and only found by their id; pets are neither, and keep their rows. PostgreSQL keeps rows as before.
 */

import type { Knex } from 'knex';
import { isPostgres } from '../sql/dialect';
import { remakeTable } from './remake-table';

// sqlite.org/withoutrowid.html
const remakeOrders = (db: Knex, options: 'without rowid' | ''): Promise<void> =>
  remakeTable(db, {
    name: 'orders',
    columns: ['service', 'id', 'document', 'format'],
    definition: `service text not null, id bigint not null, document text not null,
      format text not null default '', primary key (service, id)`,
    options,
    key: ['service', 'id'],
  });

export const ordersById: Knex.Migration = {
  async up(db) {
    if (!isPostgres(db)) await remakeOrders(db, 'without rowid');
  },
};
