/** The collections of the library: books, found by their authors and counted by genre, and what was lent. */

import type { Collections, HandlerDependencies } from '../../../../src/host/handler-dependencies';
import type { Operations, Schemas } from './types';

export const collections = {
  books: {
    schema: 'Book',
    lookups: ['authors'],
    counts: ['genre'],
    sorts: ['title', 'copies', 'genre'],
  },
  loans: { body: 'lendBook' },
} as const satisfies Collections<Schemas, Operations>;

export type Dependencies = HandlerDependencies<typeof collections, Schemas, never, Operations>;
