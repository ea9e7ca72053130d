/**
 * Brings what is stored into the format of today's document, piece by piece beside the requests. What does not fit stays as it is,
 * and is marked by its format, so that it is checked once, and counted by an index.
 */

import type { Database } from '../database/database';
import type { Piece } from './indexes/maintain-indexes';
import type { DocumentRow, TextCodec } from './lists/item-pages';
import type { StoredItems } from './stored-items';
import { walkItems } from './walk-items';

/** The fault of one item: its id is for the log alone. */
export const misfitError = (service: string, name: string, id: bigint | string): Error =>
  new Error(
    `${service}/${name}/${id}: what is stored does not fit the document; npm run admin -- data check --service ${service} says why`,
  );

/** What was read, which is undefined where it does not fit. */
export const requireFitting = <Item>(
  item: Item | undefined,
  ...place: Parameters<typeof misfitError>
): Item => {
  if (item === undefined) throw misfitError(...place);
  return item;
};

/** What does not fit may be mended: what is made of it must fit. */
export const requireMended = (
  { format, bring }: Pick<TextCodec<unknown>, 'format' | 'bring'>,
  old: Pick<DocumentRow, 'format'>,
  document: string,
  ...place: Parameters<typeof misfitError>
): void => {
  if (old.format !== format && bring(document).problems.length > 0) throw misfitError(...place);
};

/** Makes the pieces that bring items, or users, into the format of their codec. */
export const fitItems = (db: Database, items: StoredItems): Piece => {
  const { codec, replace } = items;
  const walk = walkItems(db, items, {
    name: '',
    format: codec.format,
    async visit(trx, old) {
      if (old.format === codec.format || old.format === codec.misfit) return false;
      const { document, format } = codec.bring(old.document);
      await replace(trx, old, document, format);
      return true;
    },
  });
  return async () => !(await walk.isDone()) && !(await walk.nextPage()).isComplete;
};
