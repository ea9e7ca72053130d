/** The catalogue, page by page. */

import type { Handlers } from '../../../../src/engine';
import type { Dependencies } from './collections';
import type { CatalogueOperations } from './types';

export const catalogueHandlers = ({ books }: Dependencies): Handlers<CatalogueOperations> => ({
  async listCatalogue({ query: { genre, title, copies, sort, limit, after, before } }) {
    const where = { genre, title: { prefix: title }, copies: { gte: copies } };
    const page = await books.page({ where, order: sort, limit, after, before });
    return { status: 200, body: { ...page, total: await books.count({ where }) } };
  },
});
