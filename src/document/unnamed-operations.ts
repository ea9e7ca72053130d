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
  const more = others.length === 1 ? '1 other' : `${others.length} others`;
  const which = others.length === 0 ? 'This operation has' : `This operation and ${more} have`;
  const message = `${which} no \`operationId\`: its handler is called \`'${operationId}'\`, tools and generated clients make up a name, and all of them change with its path. Give each operation one.`;
  return [warningOf('operation-id')(pointer, message, true)];
};
