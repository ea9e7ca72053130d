/** What the service of advertisements stores. */

import type {
  Accounts,
  Collections,
  HandlerDependencies,
} from '../../src/server/services/handler-dependencies';
import type { Schemas, UserResponse } from './types';

export const collections = {
  ads: { schema: 'Ad' },
} as const satisfies Collections<Schemas>;

export const accounts = { schema: 'User' } as const satisfies Accounts<Schemas>;

/** What the handlers of this service are given. */
export type Dependencies = HandlerDependencies<typeof collections, Schemas, UserResponse>;
