/** Items whose schema has an `id` of texts, such as UUIDs: read, changed and deleted by it, as others are by their number. */

import { describe, expect, test } from '@jest/globals';
import { parseApiDocument, schemaContext } from '../../../../src/engine';
import { itemSchemas } from '../../../../src/host/item-schemas';
import { adminService } from '../../../../src/server/admin/admin-context';
import type { Collection } from '../../../../src/storage/collections/collection';
import { InvalidItem } from '../../../../src/storage/collections/item-schema';
import { indexChanges } from '../../../../src/storage/collections/register-collections';
import { collectionOf, fileSettings, openFilledStorage } from '../../../support/open-storage';
import { readPages, readSerialized } from '../../../support/read-serialized';
import { done, runIn } from '../../server/admin/run-command';
import { useTemporaryDatabase } from '../temporary-database';

const temporary = useTemporaryDatabase();

interface Note {
  readonly id?: string;
  readonly text: string;
  readonly picture?: string;
}

const document = parseApiDocument(
  'specs/notes.yaml',
  JSON.stringify({ openapi: '3.0.3', info: { title: 'Notes', version: '1' }, paths: {} }),
);
const schemaOf = itemSchemas(document, schemaContext(document));
const noteOf = (id: object, lookups?: readonly string[]) => ({
  notes: {
    schema: {
      type: 'object',
      required: ['id', 'text'],
      properties: { id, text: { type: 'string' }, picture: { type: 'string', format: 'uri' } },
    },
    sorts: ['text'],
    files: 'public' as const,
    ...(lookups && { lookups }),
  },
});
const uuid = { type: 'string', format: 'uuid' };

let services = 0;
/** Opens the collection of a service of its own, or of the one that is named. */
const openNotes = async (
  id: object = uuid,
  {
    service = `service ${++services}`,
    db = temporary.db,
    lookups = undefined as string[] | undefined,
  } = {},
) => {
  const collections = noteOf(id, lookups);
  const storage = await openFilledStorage(db, {
    service,
    collections,
    accounts: undefined,
    schemaOf: (one) => schemaOf(one),
    files: fileSettings,
  });
  return { service, storage, notes: collectionOf<Note>(storage, 'notes') };
};

const insertedId = async (notes: Collection<Note>, note: Note): Promise<string> => {
  const { id } = (await readSerialized(notes.insert(note))) ?? {};
  if (id === undefined) throw new Error('It was not stored');
  return id;
};

test('a missing id is a UUID; by it an item is read, changed, given a file and deleted', async () => {
  const { notes } = await openNotes();
  const [id, other] = [
    await insertedId(notes, { text: 'a' }),
    await insertedId(notes, { text: 'b' }),
  ];
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect((await notes.get(id))?.text).toBe(`{"id":"${id}","text":"a"}`);
  // The id stays, whatever the change makes of it.
  expect(await readSerialized(notes.update(id, () => ({ text: 'c' })))).toEqual({ id, text: 'c' });
  expect(await readSerialized(notes.update(id, (old) => ({ ...old, id: other })))).toEqual({
    id,
    text: 'c',
  });
  const file = await notes.attach(id, Buffer.from('x'), (old, picture) => ({ ...old, picture }));
  expect(await readSerialized(notes.get(id))).toEqual({ id, text: 'c', picture: file?.url });
  expect(await notes.delete(id)).toBe(true);
  expect(await notes.delete(id)).toBe(false);
  expect(await notes.get(id)).toBeUndefined();
  expect(await readPages(notes.list())).toEqual([{ id: other, text: 'b' }]);
});

const texts: readonly (readonly [string, string])[] = [
  ['a word', 'none'],
  ['a number', '1'],
  ['a letter beyond ASCII', 'é'],
  ['NUL', '\u0000'],
  ['a long text', 'x'.repeat(5000)],
];

test.each(texts)('%s is no id of an item', async (_, id) => {
  const { notes } = await openNotes();
  await notes.insert({ text: 'a' });
  const refusal = new Error('refused');
  const refuse = (current: unknown): void => {
    if (current === undefined) throw refusal;
  };
  expect(await notes.get(id)).toBeUndefined();
  expect(await notes.update(id, (old) => old)).toBeUndefined();
  expect(await notes.attach(id, Buffer.from('x'), (old) => old)).toBeUndefined();
  expect(await notes.delete(id)).toBe(false);
  await expect(notes.update(id, (old) => old, refuse)).rejects.toBe(refusal);
  await expect(notes.delete(id, refuse)).rejects.toBe(refusal);
});

describe('an id that is given', () => {
  const given = { type: 'string', minLength: 1 };

  test.each(texts)('%s is kept', async (_, id) => {
    const { notes } = await openNotes(given);
    expect(await readSerialized(notes.insert({ id, text: 'a' }))).toEqual({ id, text: 'a' });
    expect(await notes.insert({ id, text: 'b' })).toBeUndefined();
    expect(await readSerialized(notes.get(id))).toEqual({ id, text: 'a' });
    expect(await notes.delete(id)).toBe(true);
    expect(await readSerialized(notes.insert({ id, text: 'b' }))).toEqual({ id, text: 'b' });
  });

  test('is stored once, also where many want it in several processes and transactions', async () => {
    const { notes, storage, service } = await openNotes(given);
    const another = await openNotes(given, { service, db: await temporary.openAnother() });
    const added = await Promise.all(
      Array.from({ length: 60 }, (_, at) => {
        const note = { id: 'one', text: `${at}` };
        if (at % 3 === 0) return notes.insert(note);
        if (at % 3 === 1) return another.notes.insert(note);
        return storage.transaction(async (inside) => inside['notes']?.insert(note));
      }),
    );
    const stored = added.flatMap((one) => (one === undefined ? [] : [one.read()]));
    expect(stored).toHaveLength(1);
    expect(await readPages(notes.list())).toEqual(stored);
  });

  test('that the schema does not allow is not stored, nor is one that would be assigned', async () => {
    const { notes } = await openNotes({ type: 'string', maxLength: 5 });
    await expect(notes.insert({ text: 'a' })).rejects.toThrow(InvalidItem);
    await expect(notes.insert({ id: 'too long', text: 'a' })).rejects.toThrow(InvalidItem);
    expect(await notes.count({})).toBe(0);
  });
});

test('pages find items by their id, and list them in the order in which they were added', async () => {
  const { notes } = await openNotes();
  const ids: string[] = [];
  for (const text of ['b', 'a', 'c']) ids.push(await insertedId(notes, { text }));
  const [first = '', second = ''] = ids;
  const idsOf = async (query: object) => (await notes.page(query)).items.map(({ id }) => id);
  expect(await idsOf({})).toEqual(ids);
  expect(await idsOf({ order: 'text' })).toEqual([second, first, ids[2]]);
  expect(await idsOf({ where: { id: [second, 'none', first] } })).toEqual([first, second]);
  expect(await notes.count({ where: { id: first } })).toBe(1);
});

test('items that are there are found after a start that fills the index, which the plan names', async () => {
  const { service, notes } = await openNotes();
  const id = await insertedId(notes, { text: 'a' });
  const { knex } = temporary.db;
  const key = knex('collections').where({ service }).select('key');
  await knex('collection_indexes').where({ path: 'id' }).whereIn('collection', key).delete();
  await temporary.reopen();
  const plan = () =>
    indexChanges(
      temporary.db.knex,
      service,
      noteOf(uuid),
      adminService(document, undefined, noteOf(uuid)).collectionSchemas,
    );
  expect(await plan()).toMatchObject([{ change: 'fill', kind: 'lookup', path: 'id', items: 1 }]);
  const reopened = await openNotes(uuid, { service });
  expect(await readSerialized(reopened.notes.get(id))).toEqual({ id, text: 'a' });
  expect(await plan()).toEqual([]);
});

test('a lookup of the id may be declared, too', async () => {
  const { notes } = await openNotes(uuid, { lookups: ['id'] });
  const id = await insertedId(notes, { text: 'a' });
  expect(await readPages(notes.find('id', [id]))).toEqual([{ id, text: 'a' }]);
  expect(await readSerialized(notes.get(id))).toEqual({ id, text: 'a' });
});

test('a check names items by their ids, and a migration leaves these as they are', async () => {
  const { service, notes } = await openNotes();
  const id = await insertedId(notes, { text: 'a' });
  const stricter = noteOf({ ...uuid, maxLength: 9 });
  const check = {
    services: [{ ...adminService(document, undefined, stricter), name: service }],
    database: async () => temporary.db,
    loadModule: async () => ({}),
  };
  expect((await runIn(check, ['data', 'check'])).out).toBe(
    `${service}/notes: /id must be at most 9 characters long: 1 (ids ${id})\n`,
  );
  const context = {
    services: [{ ...adminService(document, undefined, noteOf(uuid)), name: service }],
    database: async () => temporary.db,
    loadModule: async () => ({ notes: () => ({ id: 'other', text: 'b' }) }),
  };
  const migrate = ['data', 'migrate', '--service', service, '--with', '/somewhere/change.ts'];
  expect(await runIn(context, migrate)).toEqual(done(`${service}/notes: 1 of 1 items changed\n`));
  expect(await readSerialized((await openNotes(uuid, { service })).notes.get(id))).toEqual({
    id,
    text: 'b',
  });
});
