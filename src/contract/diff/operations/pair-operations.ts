/** Finds which operations of two documents are the same: by method and path, whatever its variables are called and however it is spelled. */

import { templateForm } from '../../../document/read/templates';
import type { Operation } from '../../../model/operation';

/** An operation of the old document and that of the new one; one of them may be missing. */
export interface OperationPair {
  readonly old: Operation | undefined;
  readonly new: Operation | undefined;
}

const exactKey = ({ method, path }: Operation): string => `${method} ${path}`;

const anonymousKey = ({ method, path }: Operation): string => `${method} ${templateForm(path)}`;

/**
 * Pairs operations up, in the order of the new ones; those that are gone come last. Templates that differ in the names of
 * variables, or their spelling, alone are the same, but where a document has several such.
 */
export const pairOperations = (
  olds: readonly Operation[],
  news: readonly Operation[],
): readonly OperationPair[] => {
  const exact = new Map(olds.map((old) => [exactKey(old), old]));
  const pairs = new Map(news.map((now) => [now, exact.get(exactKey(now))]));
  const left = new Set(olds);
  for (const old of pairs.values()) if (old !== undefined) left.delete(old);
  for (const [now, found] of pairs) {
    if (found !== undefined) continue;
    const old = [...left].find((one) => anonymousKey(one) === anonymousKey(now));
    if (old === undefined) continue;
    left.delete(old);
    pairs.set(now, old);
  }
  return [
    ...[...pairs].map(([now, old]) => ({ old, new: now })),
    ...[...left].map((old) => ({ old, new: undefined })),
  ];
};
