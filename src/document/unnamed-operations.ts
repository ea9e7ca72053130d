/** Finds operations without an `operationId`, and says what that means for those who call and write them. */

import type { Operation } from '../model/operation';
import { type UnplacedDiagnostic, warningOf } from './diagnostics/diagnostic';

/** Warns once of the operations of a document that have no `operationId`, at the first of them. */
export const unnamedOperations = (
  operations: readonly Operation[],
): readonly UnplacedDiagnostic[] => {
  const [first, ...others] = operations.filter(({ hasId }) => !hasId);
  if (first === undefined) return [];
  const { operationId, pointer } = first;
  const which = [
    'This operation has no `operationId`',
    ...(others.length > 0 ? [`as ${others.length} more in this document`] : []),
  ].join(', ');
  const message = `${which}: its handler is called \`'${operationId}'\`, tools and generated clients make up a name, and all of them change with its path. Give each operation one.`;
  return [warningOf('operation-id')(pointer, message, true)];
};
