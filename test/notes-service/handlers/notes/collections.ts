/** The collections of the service. */

import type { Collections, HandlerDependencies } from '../../../../src/host/handler-dependencies';
import type { Schemas } from './types';

export const collections = {
  notes: { schema: 'Note' },
} as const satisfies Collections<Schemas>;

export type Dependencies = HandlerDependencies<typeof collections, Schemas>;
