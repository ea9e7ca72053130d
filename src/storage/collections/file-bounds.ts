/** How much the files of one item may take, and those that one user has attached. */

import { HttpError } from '../../engine';
import type { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { param } from '../sql/statement';

/** Bytes that are stored at most; a file of less than 4 KiB counts as that. */
export interface FileBounds {
  /** In all files of one item. */
  readonly maxItemBytes: number;
  /** In all files of a service that one user has attached. */
  readonly maxOwnerBytes: number;
}

/** A row and its entries in indexes take room, too, and the files are looked through one by one. */
const leastBytes = 4096;

/** PostgreSQL's driver gives sums as text; of no file it is NULL. */
interface Sum {
  readonly bytes: number | string | null;
}

const tooLarge = (whose: string, most: number): HttpError =>
  new HttpError(
    413,
    'body-too-large',
    `The files ${whose} may take ${most} bytes together, and with this one they would take more`,
  );

/**
 * Makes the check of a file that is about to be stored. It is made in the transaction that stores the file and has locked its item,
 * so that an item never has more. A user is not locked: files that one attaches to several items at the very same time do not see
 * each other, and may go beyond the bound together.
 */
export const fileBounds = (
  { knex, prepare }: Database,
  service: string,
  collection: number,
  { maxItemBytes, maxOwnerBytes }: FileBounds,
) => {
  // Neither database reads the bytes for their length.
  const sum = knex.raw(
    `sum(case when length(bytes) < ${leastBytes} then ${leastBytes} else length(bytes) end) as bytes`,
  );
  const ofItem = prepare<{ item: string }, Sum>(
    knex('item_files')
      .where({ collection, item_id: param('item') })
      .select(sum),
  );
  const ofOwner = prepare<{ owner: string }, Sum>(
    knex('item_files')
      .where({ service, owner: param('owner') })
      .select(sum),
  );
  return async (
    trx: Transaction,
    item: string,
    owner: string | null,
    length: number,
  ): Promise<void> => {
    const [[forItem], [forOwner]] = await Promise.all([
      trx.all(ofItem, { item }),
      owner === null ? [] : trx.all(ofOwner, { owner }),
    ]);
    const added = Math.max(length, leastBytes);
    if (Number(forItem?.bytes) + added > maxItemBytes) throw tooLarge('of one item', maxItemBytes);
    if (owner !== null && Number(forOwner?.bytes) + added > maxOwnerBytes) {
      throw tooLarge('that one user uploads', maxOwnerBytes);
    }
  };
};
