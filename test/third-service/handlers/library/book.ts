/** The operations of the library. */

import type { Handlers } from '../../../../src/engine';
import type { Dependencies } from './collections';
import type { BookOperations, LoanOperations } from './types';

export const bookHandlers = ({ books }: Dependencies): Handlers<BookOperations> => ({
  async addBook({ body, fail }) {
    const book = await books.insert(body);
    if (!book) throw fail(409, { body: { takenId: body.id } });
    return { status: 200, body: book };
  },

  async listBooks({ query: { author } }) {
    return { status: 200, body: author ? books.find('authors', author) : books.list() };
  },

  async countGenres() {
    return { status: 200, body: await books.count('genre') };
  },

  findAuthor: ({ path }) => ({
    status: 302,
    headers: { Location: `/library/books?author=${encodeURIComponent(path.name)}` },
  }),

  async getBook({ path, fail }) {
    const book = await books.get(path.id);
    if (!book) throw fail(404);
    return { status: 200, body: book };
  },

  async deleteBook({ path, fail }) {
    if (!(await books.delete(path.id))) throw fail(404);
    return { status: 204 };
  },
});

export const loanHandlers = ({
  transaction,
}: Dependencies): Pick<Handlers<LoanOperations>, 'lendBook'> => ({
  async lendBook({ body, fail }) {
    const lent = await transaction(async ({ books, loans, readers }) => {
      const book = (await books.get(body.book))?.read();
      if (!book) throw fail(404);
      if (!book.copies) throw fail(409);
      await loans.insert(body);
      const [known] = (await readers.page({ where: { name: body.reader } })).items;
      const reader = known ?? (await readers.insert({ name: body.reader }))?.read();
      if (reader?.id === undefined || reader.lent === 3) throw fail(409);
      await readers.update(reader.id, (old) => ({ ...old, lent: old.lent + 1 }));
      return books.update(body.book, (old) => ({ ...old, copies: (old.copies ?? 1) - 1 }));
    });
    if (!lent) throw fail(404);
    return { status: 204 };
  },
});
