/** The collection of the stock: its items, found by their places. */

import type { Collections, HandlerDependencies } from '../../../../src/host/handler-dependencies';
import type { Schemas } from './types';

export const collections = {
  items: { schema: 'Item', lookups: ['place'] },
} as const satisfies Collections<Schemas>;

export type Dependencies = HandlerDependencies<typeof collections, Schemas>;
