/** The operations of a document, and which of two documents are the same: by method and path, whatever its variables are called. */

import type { OperationPlace } from '../messages/compare-parameters';
import type { SourceObject, SourceObjects } from '../values/source-objects';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** One operation. */
export interface FoundOperation extends OperationPlace {
  readonly method: string;
  /** Undefined where the document gives none. */
  readonly operationId: string | undefined;
}

const operationsIn = (
  path: string,
  pathItem: SourceObject,
  source: SourceObjects,
): readonly FoundOperation[] =>
  methods.flatMap((method) => {
    const operation = source.find(pathItem.value[method]);
    if (operation === undefined) return [];
    const id = operation.value['operationId'];
    const operationId = typeof id === 'string' ? id : undefined;
    return [{ path, pathItem, operation, method, operationId }];
  });

/** The operations of a map of path items: `paths`, or a callback. */
export const operationsOf = (paths: unknown, source: SourceObjects): readonly FoundOperation[] =>
  source
    .entries(paths)
    .filter(([path]) => !path.startsWith('x-'))
    .flatMap(([path, pathItem]) => operationsIn(path, pathItem, source));

/** An operation of the old document and that of the new one; one of them may be missing. */
export interface OperationPair {
  readonly old: FoundOperation | undefined;
  readonly new: FoundOperation | undefined;
}

const exactKey = ({ method, path }: FoundOperation): string => `${method} ${path}`;

const anonymousKey = (one: FoundOperation): string => exactKey(one).replaceAll(/\{[^{}]*\}/g, '{}');

/**
 * Pairs operations up, in the order of the new ones; those that are gone come last. Templates that differ in the names of
 * variables alone are the same, but where a document has several such.
 */
export const pairOperations = (
  olds: readonly FoundOperation[],
  news: readonly FoundOperation[],
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
