/**
 * Addresses of files in items are stored without the place at which the server was reached: `"https://HOST/…/files/ID"` becomes
 * `"\/files\/ID"`, a way to write JSON that nothing else writes. Addresses of what is no file of the service stay as they are.
 */

import type { Knex } from 'knex';

const addresses = /"https?:\/\/[^"\\]*\/files\/([\da-f-]{36})"/g;

/** Items that are read at once. */
const pieceLength = 500;

interface Owner {
  readonly service: string;
  readonly collection: number;
}

interface Item {
  readonly key: number | string;
  readonly document: string;
}

const rewrite = async (db: Knex, { service }: Owner, { key, document }: Item): Promise<void> => {
  const ids = [...document.matchAll(addresses)].map(([, id = '']) => id);
  const found = await db('item_files').where({ service }).whereIn('id', ids).select('id');
  const known = new Set<string>(found.map(({ id }) => id));
  const text = document.replaceAll(addresses, (address, id) =>
    known.has(id) ? `"\\/files\\/${id}"` : address,
  );
  if (text !== document) await db('items').where({ key }).update({ document: text });
};

const rewriteAll = async (db: Knex, owner: Owner): Promise<void> => {
  const items = () => db('items').where('collection', owner.collection).orderBy('key');
  let last: Item['key'] | undefined;
  do {
    const rows: readonly Item[] = await items()
      .where('key', '>', last ?? 0)
      .where('document', 'like', '%/files/%')
      .limit(pieceLength)
      .select('key', 'document');
    for (const row of rows) await rewrite(db, owner, row);
    last = rows.at(-1)?.key;
  } while (last !== undefined);
};

export const fileAddresses: Knex.Migration = {
  async up(db) {
    const owners: readonly Owner[] = await db('item_files').distinct('service', 'collection');
    for (const owner of owners) await rewriteAll(db, owner);
  },
};
