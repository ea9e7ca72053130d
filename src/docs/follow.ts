/** Follows references for readers: what leads nowhere has been reported by the loader and is left out. */

import type { OpenAPIV3 } from 'openapi-types';
import type { ApiDocument } from '../openapi/document';

export type References = ApiDocument['references'];

/** What a target is or leads to; undefined where it leads nowhere. */
export const follow = <Target extends object>(
  references: References,
  target: Target | OpenAPIV3.ReferenceObject | undefined,
): Target | undefined => {
  try {
    return target && references.follow<Target>(target);
  } catch (error) {
    if (error instanceof Error && error.name === 'UnresolvableReference') return undefined;
    throw error;
  }
};
