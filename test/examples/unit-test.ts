/**
 * Unit tests of a client of the books, without a network: mocks of the document answer `fetch`. Run by `node --test unit-test.ts`. In jest
 * and vitest `mock.method` is `jest.spyOn(globalThis, 'fetch').mockImplementation(…)`, or that of `vi`.
 */

import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { type Handlers, loadApiDocument, mockCredentials } from 'spec-first';
import { openApiFetch } from 'spec-first/fetch';
import type { Operations } from './api.ts';

/** The client. */
const api = 'https://books.example/v1';
const headers = { 'Content-Type': 'application/json', 'X-API-Key': 'any' };
const addBook = async (title: string, author: string) => {
  const body = JSON.stringify({ title, author });
  const response = await fetch(`${api}/books`, { method: 'POST', headers, body });
  return (await response.json()) as { id: number; title: string };
};
const titleOf = async (id: number, prefer = '') => {
  const response = await fetch(`${api}/books/${id}`, { headers: { Prefer: prefer } });
  if (response.status === 404) return 'no such book';
  if (!response.ok) throw new Error(`The books answer ${response.status}`);
  return ((await response.json()) as { title: string }).title;
};

const document = await loadApiDocument('books.yaml');
const credentials = mockCredentials(document);
const mocks = await openApiFetch(document, {}, credentials, { mocks: true });

const answerFetch = (answer: typeof mocks) =>
  mock.method(globalThis, 'fetch', (...request: ConstructorParameters<typeof Request>) =>
    answer(new Request(...request)),
  );

beforeEach(() => answerFetch(mocks));
afterEach(async () => {
  mock.restoreAll();
  // All items are as at the start.
  await mocks(new Request(`${api}/__state`, { method: 'DELETE' }));
});

test('a book that was added is found', async () => {
  const { id } = await addBook('Emma', 'Jane Austen');
  assert.equal(await titleOf(id), 'Emma');
});

test('each test begins with the same books', async () => {
  const { id } = await addBook('Persuasion', 'Jane Austen');
  assert.equal(id, 4);
});

test('a failure is asked for', async () => {
  assert.equal(await titleOf(1, 'code=404'), 'no such book');
});

test('a handler of the test answers beside the mocks', async () => {
  const handlers = {
    getBook: ({ path }) => ({ status: 200, body: { id: path.id, title: 'Lolly', author: 'Me' } }),
  } satisfies Partial<Handlers<Operations>>;
  answerFetch(await openApiFetch(document, handlers, credentials, { mocks: true }));
  assert.equal(await titleOf(7), 'Lolly');
});
