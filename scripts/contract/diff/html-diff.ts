/** A comparison as a page. */

import { diffPage } from '../../../src/contract';
import type { DiffReport } from './diff-report';

/** One page of HTML. Accepted changes stand in it, too, apart from the others. */
export const htmlDiff = ({ changes, allowed, was, now }: DiffReport): string =>
  diffPage({
    title: now,
    was,
    now,
    changes: [...changes, ...allowed.map(({ change, entry }) => ({ ...change, allowed: entry }))],
  });
