/** Users to try the service of advertisements with. */

import type { DemoData } from '../../src/host/handler-dependencies';
import type { collections } from './collections';
import type { Schemas, UserResponse } from './types';

export const demo: DemoData<typeof collections, Schemas, UserResponse> = {
  users: [
    { username: 'demo', isAgent: true },
    { username: 'user1', isAgent: false },
    { username: 'user2', isAgent: false },
    { username: 'user3', isAgent: false },
  ],
};
