/** What handlers may ask of collections is held to the schemas by the compiler. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkTypes, copyProject, removeCopy } from '../support/check-types';

let folder = '';

beforeAll(() => {
  folder = copyProject(['src', 'test/third-service/handlers']);
});

afterAll(() => removeCopy(folder));

const probe = `
import type { Collections, DemoData, HandlerDependencies } from '../src/host/handler-dependencies';
import type { Dependencies } from '../test/third-service/handlers/library/collections';
import type { Book, Schemas } from '../test/third-service/handlers/library/types';

export const good = async ({ books, readers, transaction }: Dependencies) => {
  const { items, next, previous } = await books.page({ order: '-title', where: {
    id: { gt: 2n ** 53n }, authors: ['Ada'], genre: 'novel', title: { prefix: 'A' }, copies: { gte: 1 },
  } });
  const titles: string[] = items.map(({ title }) => title);
  const cursors: (string | undefined)[] = [next, previous];
  for await (const book of books.find('authors', ['Ada'])) titles.push((book satisfies Book).title);
  const total: number = await books.count({ where: { genre: ['novel', 'poetry'] } });
  const byGenre: Record<string, number> = await books.count('genre');
  await books.insert({ title: 'A', authors: [] });
  await readers.insert({ name: 'Eve' });
  for await (const { id, name, lent } of readers.list()) {
    const values: [bigint | undefined, string, number] = [id, name, lent];
    await transaction(async (all) => all.readers.delete(values[0] ?? 0n));
  }
  return { titles, cursors, total, byGenre };
};

export const bad = async ({ books, readers, loans }: Dependencies) => {
  // @ts-expect-error A lookup alone has no order
  await books.page({ order: 'authors' });
  // @ts-expect-error A field that is not declared
  await books.page({ where: { none: 1 } });
  // @ts-expect-error A value of another type
  await books.page({ where: { copies: 'many' } });
  // @ts-expect-error A value that the enum does not have
  await books.page({ where: { genre: 'none' } });
  // @ts-expect-error A range of a lookup
  await books.page({ where: { authors: { gt: 'A' } } });
  // @ts-expect-error A prefix of a number
  await books.page({ where: { copies: { prefix: '1' } } });
  // @ts-expect-error An id is an int64
  await books.count({ where: { id: 'x' } });
  // @ts-expect-error A loan has no id
  await loans.page({ where: { id: 1n } });
  // @ts-expect-error A required property
  await books.insert({ title: 'A' });
  // @ts-expect-error A property of another type
  await readers.insert({ name: 5 });
  // @ts-expect-error A count that is not declared
  await readers.count('name');
};

export const own = {
  things: { schema: { type: 'object', properties: { at: { type: 'string' } } }, sorts: ['at'] },
  notes: {
    schema: {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string', format: 'uuid' }, text: { type: 'string' } },
    },
    files: true,
  },
  counted: { schema: { type: 'object', properties: { id: { type: 'integer' } } } },
} as const satisfies Collections<Schemas>;
export const texts = async ({ notes, counted, things }: HandlerDependencies<typeof own, Schemas>) => {
  await notes.insert({ text: 'a' });
  await notes.get('a');
  await notes.update('a', (old) => ({ ...old, text: 'b' }));
  await notes.attach('a', new Uint8Array(), (old, text) => ({ ...old, text }));
  await notes.delete('a');
  await notes.page({ where: { id: ['a', 'b'] } });
  // @ts-expect-error An id is a text
  await notes.get(1n);
  // @ts-expect-error An integer that is no int64 is no id
  await counted.get(1n);
  // @ts-expect-error A thing has no id
  await things.delete(1n);
  // @ts-expect-error A text is no range
  await notes.page({ where: { id: { gt: 'a' } } });
};
export const demo: DemoData<typeof own, Schemas> = { things: [{ at: 'a' }], notes: [{ text: 'a' }] };
// @ts-expect-error A property of another type
export const badDemo: DemoData<typeof own, Schemas> = { notes: [{ text: 5 }] };
export const badType = {
  // @ts-expect-error No type has this name
  things: { schema: { type: 'object', properties: { at: { type: 'sting' } } } },
} as const satisfies Collections<Schemas>;
export const badName = {
  // @ts-expect-error No schema has this name
  things: { schema: 'Thing' },
} as const satisfies Collections<Schemas>;
export const badSort = {
  // @ts-expect-error A list has no place in an order
  things: { schema: 'Book', sorts: ['authors'] },
} as const satisfies Collections<Schemas>;
`;

test('conditions, orders, new items and schemas of its own', () => {
  writeFileSync(join(folder, 'src', 'probe.ts'), probe.replaceAll("'../src/", "'./"));
  expect(checkTypes(folder, ['src/probe.ts'])).toEqual([]);
}, 120_000);
