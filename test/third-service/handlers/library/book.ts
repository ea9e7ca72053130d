/** The operations of the library. */

import type { Handlers } from '../../../../src/engine';
import type { Dependencies } from './collections';
import type { BookOperations, LoanOperations } from './types';
import { addMessage, type Receiver, sendMessages } from './webhooks/messages';

/** The receiver that the environment names. */
const environment: Receiver = { url: process.env['LIBRARY_WEBHOOK'], timeout: 10_000 };

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

export const loanHandlers = (
  { lifetime, transaction }: Dependencies,
  receiver = environment,
): Pick<Handlers<LoanOperations>, 'lendBook'> => {
  const { url } = receiver;
  if (url !== undefined) {
    lifetime.every('1 second', 'send', (tools) => sendMessages(tools, url, receiver.timeout));
  }

  return {
    async lendBook({ body, fail }) {
      const lent = await transaction(async ({ books, loans, readers, database }) => {
        const book = (await books.get(body.book))?.read();
        if (!book) throw fail(404);
        if (!book.copies) throw fail(409);
        await loans.insert(body);
        const [known] = (await readers.page({ where: { name: body.reader } })).items;
        const reader = known ?? (await readers.insert({ name: body.reader }))?.read();
        if (reader?.id === undefined || reader.lent === 3) throw fail(409);
        await readers.update(reader.id, (old) => ({ ...old, lent: old.lent + 1 }));
        if (url !== undefined)
          await addMessage(database, 'book.lent', { ...body, book: String(body.book) });
        return books.update(body.book, (old) => ({ ...old, copies: (old.copies ?? 1) - 1 }));
      });
      if (!lent) throw fail(404);
      return { status: 204 };
    },
  };
};
