import { describe, expect, test } from '@jest/globals';
import type { TextCodec } from '../../../../src/storage/collections/item-schema';
import { collectionOf, openStorage, type Pet, petDeclaration } from '../../../support/open-storage';
import { readPages, readSerialized } from '../../../support/read-serialized';
import { standInCodec, standInCodecOf } from '../../../support/stand-in-codec';
import { storedItems } from '../../../support/stored-items';
import { useTemporaryDatabase } from '../temporary-database';

const temporary = useTemporaryDatabase();
let services = 0;

const pet = (more: Partial<Pet> = {}): Pet => ({ name: 'Rex', photoUrls: [], ...more });

/** The keys of a collection and of its lookups, as tests insert rows by themselves. */
const keysOf = async (name: string) => {
  const { knex } = temporary.db;
  const { key: collection } = await knex('collections')
    .where({ service: name, name: 'pets' })
    .first('key');
  const rows: { key: number; path: string }[] = await knex('collection_indexes')
    .where({ collection, kind: 'lookup' })
    .select('key', 'path');
  return { collection, indexes: new Map(rows.map(({ key, path }) => [path, key])) };
};

describe('pages of items', () => {
  /** Stored before the document, or the writer, was another. */
  const otherFormat = 'another format';
  const longText = 'x'.repeat(5000);

  test.each<[number, string, string]>([
    [1, standInCodec.format, 'Rex'],
    [128, standInCodec.format, 'Rex'],
    [129, standInCodec.format, 'Rex'],
    [1500, standInCodec.format, 'Rex'],
    [129, otherFormat, 'Rex'],
    [640, otherFormat, 'Rex'],
    [129, standInCodec.format, longText],
  ])('of %d items in the format %s have each once', async (count, format, lastName) => {
    services += 1;
    const name = `service ${services}`;
    const one = await openStorage(temporary.db, name, { pets: petDeclaration });
    const all = collectionOf<Pet>(one, 'pets');
    const { collection, indexes } = await keysOf(name);
    const wanted = Array.from({ length: count }, (_, at) =>
      pet({ id: BigInt(at + 1), name: at === count - 1 ? lastName : 'Rex' }),
    );
    const keyOf = (id: string): string => String(services * 10_000 + Number(id));
    const kept = wanted.map((item) => ({
      ...{ key: keyOf(`${item.id}`), collection, id: `${item.id}` },
      ...{ document: standInCodec.write(item), format },
    }));
    const entry = (id: string, path: string, value: string) => ({
      ...{ index_key: indexes.get(path), value, id, item: keyOf(id) },
    });
    const entries = kept.flatMap(({ id }) => [
      entry(id, 'status', 'sold'),
      ...['a', 'b'].map((tag) => entry(id, 'tags.name', tag)),
    ]);
    await temporary.db.knex.batchInsert('items', kept, 100);
    await temporary.db.knex.batchInsert('item_index', entries, 100);
    expect(await readPages(all.list())).toEqual(wanted);
    expect(await readPages(all.find('status', ['sold']))).toEqual(wanted);
    expect(await readPages(all.find('status', ['pending', 'sold']))).toEqual(wanted);
    expect(await readPages(all.find('tags.name', ['a']))).toEqual(wanted);
    expect(await readPages(all.find('tags.name', ['b', 'c', 'a']))).toEqual(wanted);
    for (const pages of [all.list(), all.find('status', ['sold']), all.find('tags.name', ['b'])]) {
      const values = [];
      for await (const page of pages.pages()) values.push(...page.read());
      expect(values).toEqual(wanted);
    }
  });

  test('give an item that was kept in another format as it is written now', async () => {
    const name = 'formats';
    const old = await openStorage(temporary.db, name);
    const given = pet({ id: 1n, status: 'sold' });
    await collectionOf(old, 'pets').insert(given);
    const plain = standInCodecOf<object>();
    const renamed = (text: string) => text.replace('Rex', 'Rex, written anew');
    const written: TextCodec<object>['serialized'] = (text, format) =>
      plain.serialized(format === 'new' ? text : renamed(text), format);
    const codec = { ...plain, format: 'new', serialized: written, listed: written };
    const current = await openStorage(temporary.db, name, undefined, { codec });
    const all = collectionOf<Pet>(current, 'pets');
    const wanted = { ...given, name: 'Rex, written anew' };
    expect(await readSerialized(all.get(1n))).toEqual(wanted);
    expect(await readPages(all.list())).toEqual([wanted]);
    expect(await readPages(all.find('status', ['sold']))).toEqual([wanted]);
    expect(await readSerialized(all.update(1n, (item) => item))).toEqual(given);
    expect(await readSerialized(all.get(1n))).toEqual(given);
    const rows = await storedItems(temporary.db, name, 'pets').select('format');
    expect(rows).toEqual([{ format: 'new' }]);
  });
});
