/** The statements that read and change one item of a collection. */

import type { Database } from '../database/database';
import { deleteReturning } from '../sql/dialect';
import { param } from '../sql/statement';
import type { DocumentRow } from './lists/item-pages';

/** An item as its row has it; the id in decimal digits. */
export type ItemValues = Readonly<Record<'id' | 'document' | 'format', string>>;

/** Composes them, over the table `items`. */
export const itemStatements = ({ knex, prepare }: Database, collection: number) => {
  const item = () => knex('items').where({ collection, id: param('id') });
  const text = { document: param('document'), format: param('format') };
  return {
    find: prepare<{ id: string }, DocumentRow>(item().select('document', 'format')),
    lock: prepare<{ id: string }, DocumentRow>(item().forUpdate().select('document', 'format')),
    insert: prepare<ItemValues & { readonly owner: string | null }, never>(
      knex('items')
        .insert({ collection, id: param('id'), owner: param('owner'), ...text })
        .onConflict(['collection', 'id'])
        .ignore(),
    ),
    update: prepare<ItemValues, never>(item().update(text)),
    remove: prepare<{ id: string }, DocumentRow>(
      deleteReturning(knex, item(), ['document', 'format']),
    ),
  };
};
