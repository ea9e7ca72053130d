/** Without texts that the database joins: every page is read row by row. The query in their place is remembered, and so costs nothing. */

import { countRun, moduleOf } from './product';

moduleOf<typeof import('../../../src/storage/sql/aggregate-rows')>(
  'storage/sql/aggregate-rows',
).aggregateRows = (knex) =>
  knex.select(knex.raw('1 as ??, null as ??, null as ??', ['count', 'last', 'texts']));

const pages = moduleOf<typeof import('../../../src/storage/collections/item-pages')>(
  'storage/collections/lists/pages',
);
const { pagesOf } = pages;

pages.pagesOf = (pageFrom) =>
  pagesOf((from, limit) => {
    countRun();
    return pageFrom(from, limit);
  });
