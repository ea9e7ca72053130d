/** The collections of the library: books, what was lent, and readers, of whom callers learn nothing. */

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
  readers: {
    schema: {
      type: 'object',
      required: ['name', 'lent'],
      properties: {
        id: { type: 'integer', format: 'int64' },
        name: { type: 'string' },
        lent: { type: 'integer', format: 'int32', maximum: 3, default: 0 },
      },
    },
    lookups: ['name'],
  },
} as const satisfies Collections<Schemas, Operations>;

export type Dependencies = HandlerDependencies<typeof collections, Schemas, never, Operations>;
