/** Files that are attached to items, byte for byte; each is deleted with its item. */

import { randomUUID } from 'node:crypto';
import { filetypemime } from 'magic-bytes.js';
import type { Database, Transaction } from '../database/database';
import { searchKey } from '../sql/dialect';
import { param, paramsOf, type Values } from '../sql/statement';

/** Detects the media type by the first bytes; `application/octet-stream` where they show none. */
export const detectMediaType = (bytes: Uint8Array): string =>
  // The signatures all lie within the first 4096 bytes.
  filetypemime(bytes.subarray(0, 4096)).find((type) => type !== '') ?? 'application/octet-stream';

/**
 * The readers of a collection's files: `true`, each file its owner alone, the user who attached it; an operation, who may call that;
 * `public`, all to whom its address is known.
 */
export type FileReaders = true | 'public' | { readonly read: string };

/** The absolute URL at which the file of this id is given back. */
export type FileUrl = (id: string) => string;

/** The settings of a service's files. A file of less than 4 KiB counts as 4 KiB. */
export interface FileSettings {
  readonly url: FileUrl;
  /** Bytes in all files of one item. */
  readonly maxItemBytes: number;
  /** Bytes in all files of the service that one user has attached. */
  readonly maxOwnerBytes: number;
}

/** The files of an item, or of a user, would take more bytes than they may; the message is fit for callers. */
export class QuotaExceeded extends Error {}

/** A file that was attached to an item. */
export interface AttachedFile {
  /** The type that the bytes themselves show. */
  readonly mediaType: string;
  /** The absolute URL at which the file is given back. */
  readonly url: string;
}

/** A file as it is stored. */
export interface StoredFile {
  readonly id: string;
  readonly mediaType: string;
  /** The number of its bytes. */
  readonly length: number;
  /** The name of its item's collection. */
  readonly collection: string;
  /** Tells whether it is that user's, by the principal's subject. */
  isOwnedBy(subject: string): boolean;
  /** Reads some of its bytes; undefined where it was deleted meanwhile. */
  read(start: number, count: number): Promise<Uint8Array | undefined>;
}

/** Finds a file by its id. */
export type StoredFiles = (id: string) => Promise<StoredFile | undefined>;

/** The id of a file, as a regular expression. */
export const fileId = '[\\da-f-]{36}';

/**
 * The beginning of a file's address in stored texts, in place of the origin at which the server is reached today. No other text
 * has it, since the writer of JSON never escapes a slash; and backslashes are rare, so that a search for it takes no time.
 */
export const addressMark = '\\/files\\/';

const namedFiles = new RegExp(`${addressMark.replaceAll('\\', '\\\\')}(${fileId})`, 'g');

const filesNamedIn = (text: string): readonly string[] =>
  text.includes(addressMark) ? [...text.matchAll(namedFiles)].map(([, id = '']) => id) : [];

/** A row and its entries in indexes take room, too, and the files of an item are summed up one by one. */
const leastBytes = 4096;

const quotaExceeded = (whose: string, most: number): QuotaExceeded =>
  new QuotaExceeded(`Quota exceeded: at most ${most} bytes of files ${whose}`);

const tables = ['item_files'];

/** Stores the files of a collection in the table `item_files`. */
export const attachedFiles = (
  { knex, prepare }: Database,
  service: string,
  collection: number,
  { url, maxItemBytes, maxOwnerBytes }: FileSettings,
) => {
  const columns = ['id', 'item_id as item', 'owner', 'media_type as mediaType', 'bytes'];
  const insert = prepare<Values, never>(
    knex('item_files').insert({ service, collection, ...paramsOf(columns) }),
    tables,
  );
  const files = () => knex('item_files').where({ collection, item_id: param('item') });
  const remove = prepare<{ item: string }, never>(files().delete(), tables);
  const removeOne = prepare<{ item: string; id: string }, never>(
    files().where('id', param('id')).delete(),
    tables,
  );
  // Neither database reads the bytes to know their length. Of no file the sum is NULL.
  const sum = knex.raw(
    `sum(case when length(bytes) < ${leastBytes} then ${leastBytes} else length(bytes) end) as bytes`,
  );
  type Sum = Readonly<{ bytes: number | null }>;
  const ofItem = prepare<{ item: string }, Sum>(files().select(sum));
  const ofOwner = prepare<{ owner: string }, Sum>(
    knex('item_files')
      .where({ service, owner: param('owner') })
      .select(sum),
  );
  return {
    /** Stores a file under an unguessable id. Throws QuotaExceeded where the files of the item or the owner would take too many bytes. */
    async insert(
      trx: Transaction,
      itemId: bigint,
      bytes: Uint8Array,
      subject: string | undefined,
    ): Promise<AttachedFile> {
      const item = itemId.toString();
      const owner = subject === undefined ? null : searchKey(subject);
      // The transaction has locked the item, so that it never has more. A user is not locked: files that one user attaches to several
      // items at the same time may exceed the quota together.
      const [[forItem], [forOwner]] = await Promise.all([
        trx.all(ofItem, { item }),
        owner === null ? [] : trx.all(ofOwner, { owner }),
      ]);
      const added = Math.max(bytes.length, leastBytes);
      if (Number(forItem?.bytes) + added > maxItemBytes) {
        throw quotaExceeded('per item', maxItemBytes);
      }
      if (owner !== null && Number(forOwner?.bytes) + added > maxOwnerBytes) {
        throw quotaExceeded('per user', maxOwnerBytes);
      }
      const id = randomUUID();
      const mediaType = detectMediaType(bytes);
      // The drivers know bytes by Buffer alone. A view: nothing is copied.
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      await trx.send(insert, { id, item, owner, mediaType, bytes: buffer });
      return { mediaType, url: url(id) };
    },
    /** Deletes the files of an item that its former text names and its new one does not. */
    async deleteUnnamed(
      trx: Transaction,
      itemId: bigint,
      former: string,
      current: string,
    ): Promise<void> {
      const named = new Set(filesNamedIn(current));
      const gone = new Set(filesNamedIn(former).filter((id) => !named.has(id)));
      for (const id of gone) await trx.send(removeOne, { item: itemId.toString(), id });
    },
    deleteOf: (trx: Transaction, itemId: bigint): Promise<void> =>
      trx.send(remove, { item: itemId.toString() }),
  };
};

/** Makes the function that finds the files of a service. */
export const fileFinder = ({ knex, prepare, all }: Database, service: string): StoredFiles => {
  const named = () => knex('item_files').where({ id: param('id'), 'item_files.service': service });
  type FileRow = Pick<StoredFile, 'id' | 'mediaType' | 'length' | 'collection'>;
  const find = prepare<{ id: string }, FileRow & { readonly owner: string | null }>(
    named()
      .join('collections', 'collections.key', 'item_files.collection')
      .select('id', 'media_type as mediaType', 'owner', 'name as collection')
      .select(knex.raw('length(bytes) as length')),
    [...tables, 'collections'],
  );
  const readPart = prepare<{ id: string; first: number; count: number }, { bytes: Uint8Array }>(
    named().select(
      knex.raw('substr(bytes, cast(? as integer), cast(? as integer)) as bytes', [
        param('first'),
        param('count'),
      ]),
    ),
    tables,
  );
  const wholeId = new RegExp(`^${fileId}$`);
  return async (id) => {
    // Callers may ask for any text, and PostgreSQL takes none with U+0000.
    const [row] = wholeId.test(id) ? await all(find, { id }) : [];
    if (row === undefined) return undefined;
    const { owner, ...file } = row;
    return {
      ...file,
      isOwnedBy: (subject) => owner === searchKey(subject),
      async read(start, count) {
        if (count === 0) return new Uint8Array();
        return (await all(readPart, { id, first: start + 1, count }))[0]?.bytes;
      },
    };
  };
};

/** Makes the function that gives the files of one owner to another, or to none, so that no later user of a name reads them. */
export const fileOwnerChange = ({ knex, prepare }: Database, service: string) => {
  const change = prepare<{ former: string; owner: string | null }, never>(
    knex('item_files')
      .where({ service, owner: param('former') })
      .update({ owner: param('owner') }),
    tables,
  );
  return async (trx: Transaction, former: string, owner: string | undefined): Promise<void> => {
    const next = owner === undefined ? null : searchKey(owner);
    await trx.send(change, { former: searchKey(former), owner: next });
  };
};
