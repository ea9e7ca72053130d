/** What stands in for a collection that cannot be kept, because the document has changed. */

import { HttpError } from '../../../engine';
import type { Collection } from './collection';

/** The document has no schema for a collection, or one that cannot be used; the message says why. */
export class UnusableSchema extends Error {}

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
