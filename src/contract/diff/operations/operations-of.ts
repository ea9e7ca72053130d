/** The operations of a document, by what tells them apart: the method, and the path whatever its variables are called. */

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
export const operationsOf = (
  paths: unknown,
  source: SourceObjects,
): ReadonlyMap<string, FoundOperation> =>
  new Map(
    source
      .entries(paths)
      .flatMap(([path, pathItem]) => operationsIn(path, pathItem, source))
      .map((one) => [`${one.method} ${one.path.replaceAll(/\{[^{}]*\}/g, '{}')}`, one]),
  );
