/** What cannot be kept because the document has changed: a collection, or an item. */

import { HttpError } from '../../engine';
import type { Collection } from './collection';

/** The document has no schema for a collection, or one that cannot be used; the message says why. */
export class UnusableSchema extends Error {}

/** An item is not what responses may carry, so that it is not stored either; the message says why. */
export class UnfitItem extends Error {}

/** Goes on without an item that does not fit. */
export const leaveOutUnfit = (error: unknown): undefined => {
  if (!(error instanceof UnfitItem)) throw error;
};

/** Stands in for a collection without a usable schema: the operations that need it answer 501. */
export const unusableCollection = (reason: string): Collection<object> => {
  const refuse = (): never => {
    throw new HttpError(501, 'not-implemented', reason);
  };
  return {
    get: refuse,
    list: refuse,
    find: refuse,
    count: refuse,
    insert: refuse,
    update: refuse,
    delete: refuse,
    attach: refuse,
  };
};
