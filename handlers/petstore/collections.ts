/** What the pet store stores, and how it is found. */

import type {
  Accounts,
  Collections,
  HandlerDependencies,
} from '../../src/server/services/handler-dependencies';
import type { Schemas, UserResponse } from './types';

export const collections = {
  pets: { schema: 'Pet', lookups: ['status', 'tags.name'], counts: ['status'], files: true },
  orders: { schema: 'Order' },
} as const satisfies Collections<Schemas>;

export const accounts = { schema: 'User' } as const satisfies Accounts<Schemas>;

/** What the handlers of this service are given. */
export type Dependencies = HandlerDependencies<typeof collections, Schemas, UserResponse>;
