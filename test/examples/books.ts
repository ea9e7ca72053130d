/** Handlers of the books, typed by what `spec-first types books.yaml --out api.ts` writes. The programs beside it serve them. */

import type { Handlers, SecurityHandlers } from 'spec-first';
import type { BookResponse, Operations } from './api.ts';

let lastId = 9007199254740993n;
const books = new Map<bigint, BookResponse>([
  [lastId, { id: lastId, title: 'Emma', author: 'Jane Austen' }],
]);

export const handlers: Handlers<Operations> = {
  listBooks: ({ query: { author, limit } }) => {
    const found = [...books.values()].filter((book) => (author ?? book.author) === book.author);
    return { status: 200, body: found.slice(0, limit) };
  },
  addBook: ({ body }) => {
    lastId += 1n;
    const book = { ...body, id: lastId };
    books.set(lastId, book);
    return { status: 201, body: book };
  },
  getBook: ({ path, fail }) => {
    const book = books.get(path.id);
    if (!book) throw fail(404);
    return { status: 200, body: book };
  },
  deleteBook: ({ path, fail }) => {
    if (!books.delete(path.id)) throw fail(404);
    return { status: 204 };
  },
};

const librarian = { username: undefined, subject: 'librarian', scopes: [], credentialId: 'key-1' };

export const securityHandlers: SecurityHandlers = {
  apiKey: async (key) => (key === process.env.API_KEY ? librarian : undefined),
};
