/** The bounds that every reader keeps unless it is given others. */

import type { ReadLimits } from './codec';

/** Far above what an interface of resources needs, far below what would tie up a process. */
export const readLimits: ReadLimits = { depth: 100, nodes: 100_000 };
