/** The collections of the pet store. */

import type {
  Accounts,
  Collections,
  HandlerDependencies,
} from '../../src/host/handler-dependencies';
import type { Schemas, UserResponse } from './types';

export const collections = {
  pets: { schema: 'Pet', lookups: ['status', 'tags.name'], counts: ['status'], files: 'public' },
  orders: { schema: 'Order' },
} as const satisfies Collections<Schemas>;

export const accounts = { schema: 'User' } as const satisfies Accounts<Schemas>;

/** The dependencies of the handlers of this service. */
export type Dependencies = HandlerDependencies<typeof collections, Schemas, UserResponse>;
