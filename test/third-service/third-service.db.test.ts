/** A new service is a document and handlers: the library beside this file is served without any change under src. */

import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { askService, testContract, testHandlers, useTestService } from '../support/service-folder';

const service = useTestService(__dirname, 'library');
const ask = askService(service);

const book = (id: bigint | number, more: object = {}) => ({
  id: Number(id),
  title: `Book ${id}`,
  authors: ['Ada'],
  ...more,
});

testHandlers(__dirname, ['library/book.ts', 'library/catalogue.ts', 'library/collections.ts'], 105);

describe('it', () => {
  test('stores, and assigns ids', async () => {
    const given = await ask('POST /library/books', book(7, { genre: 'novel', copies: 2 }));
    expect([given.status, JSON.parse(given.text)]).toEqual([
      200,
      book(7, { genre: 'novel', copies: 2 }),
    ]);
    const { id: _, ...unnumbered } = book(0, { authors: ['Ben', 'Ada'], genre: 'science' });
    const added = await ask('POST /library/books', unnumbered);
    expect(JSON.parse(added.text)).toEqual({ id: 1, ...unnumbered, copies: 1 });
    const taken = await ask('POST /library/books', book(7));
    expect([taken.status, taken.text]).toEqual([409, '{"takenId":7}']);
    expect((await ask('POST /library/books', { title: 'No author' })).status).toBe(400);
  });

  test('finds by id, in JSON and XML, and keeps int64 exact', async () => {
    await ask('POST /library/books', { id: 8, title: 'Exact', authors: ['Cy'] });
    const found = await ask('GET /library/books/8', undefined, { Accept: 'application/xml' });
    expect(found.text).toMatch(/<Book id="8"><title>Exact<\/title><author>Cy<\/author>/);
    expect((await ask('GET /library/books/9223372036854775807')).status).toBe(404);
    expect((await ask('GET /library/books/9223372036854775808')).status).toBe(400);
  });

  test('redirects', async () => {
    const { status, headers } = await ask('GET /library/authors/Ada%20L');
    expect([status, headers['location']]).toEqual([302, '/library/books?author=Ada%20L']);
  });

  test('lists all, and those of any of several authors', async () => {
    const ids = async (query: string): Promise<number[]> =>
      JSON.parse((await ask(`GET /library/books${query}`)).text).map(
        ({ id }: { id: number }) => id,
      );
    expect(await ids('')).toEqual([1, 7, 8]);
    expect(await ids('?author=Ada')).toEqual([1, 7]);
    expect(await ids('?author=Ben&author=Cy')).toEqual([1, 8]);
    expect(await ids('?author=Dee')).toEqual([]);
  });

  test('counts, and names each value that the document lists', async () => {
    const counted = await ask('GET /library/books/genres');
    expect(JSON.parse(counted.text)).toEqual({ novel: 1, poetry: 0, science: 1 });
  });

  test('turns pages, forwards and backwards', async () => {
    const titles = ['Zoo', 'A 100%', 'A 100_', 'A 1000', 'a'];
    for (const title of titles) {
      await ask('POST /library/books', { title, authors: [], genre: 'poetry', copies: 3 });
    }
    const page = async (query: string) => {
      const { status, text } = await ask(`GET /library/catalogue?genre=poetry&${query}`);
      return status === 200 ? JSON.parse(text) : status;
    };
    const titlesOf = ({ items }: { items: { title: string }[] }) => items.map(({ title }) => title);
    const first = await page('sort=title&limit=2');
    expect([titlesOf(first), first.total]).toEqual([['A 100%', 'A 1000'], 5]);
    const second = await page(`sort=title&limit=2&after=${first.next}`);
    expect(titlesOf(second)).toEqual(['A 100_', 'Zoo']);
    expect(titlesOf(await page(`sort=title&limit=2&after=${second.next}`))).toEqual(['a']);
    expect(await page(`sort=title&limit=2&before=${second.previous}`)).toEqual(first);
    expect(titlesOf(await page('title=A%20100_'))).toEqual(['A 100_']);
    expect(titlesOf(await page('copies=4'))).toEqual([]);
    const wrong = [
      `sort=-title&after=${first.next}`,
      `copies=1&sort=title&after=${first.next}`,
      `sort=title&after=${first.next}x`,
      `sort=title&after=${first.next}&before=${first.next}`,
      'limit=201',
      'sort=copies',
    ];
    for (const query of wrong) expect([query, await page(query)]).toEqual([query, 400]);
  });

  test('changes two collections together, or neither', async () => {
    const lend = async () => (await ask('POST /library/loans', { book: 7, reader: 'Eve' })).status;
    expect([await lend(), await lend(), await lend()]).toEqual([204, 204, 409]);
    expect(JSON.parse((await ask('GET /library/books/7')).text).copies).toBe(0);
    expect((await ask('POST /library/loans', { book: 99, reader: 'Eve' })).status).toBe(404);
    // The third loan of a reader is the last, and what was changed for the fourth is undone.
    await ask('POST /library/books', { id: 20, title: 'Many', authors: [], copies: 9 });
    const ofMany = async () =>
      (await ask('POST /library/loans', { book: 20, reader: 'Eve' })).status;
    expect([await ofMany(), await ofMany()]).toEqual([204, 409]);
    expect(JSON.parse((await ask('GET /library/books/20')).text).copies).toBe(8);
    await ask('DELETE /library/books/20');
    const mocked = await ask('GET /library/loans');
    expect([mocked.status, mocked.headers['x-mock'], mocked.text]).toEqual([200, 'true', '']);
  });

  test('deletes, and what it found by', async () => {
    expect((await ask('DELETE /library/books/7')).status).toBe(204);
    expect((await ask('DELETE /library/books/7')).status).toBe(404);
    expect(JSON.parse((await ask('GET /library/books/genres')).text).novel).toBe(0);
  });

  test('publishes nothing of what it stores by a schema of its own', async () => {
    for (const path of ['openapi.json', 'openapi.yaml', 'docs/']) {
      const { status, text } = await request(service().app).get(`/library/${path}`);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toMatch(/\breaders\b|\blent"?:/);
    }
  });

  test('is secured as its document says', async () => {
    expect((await request(service().app).get('/library/books')).status).toBe(401);
  });
});

test('it keeps to its document', async () => {
  const { failures, coverage } = await testContract(__dirname, 'library', service());
  expect(failures).toEqual([]);
  const withoutSuccess = coverage.operations.filter(
    ({ statuses }) => !statuses.some(({ key, count }) => /^[23]/.test(key) && count > 0),
  );
  expect(withoutSuccess).toEqual([]);
});
