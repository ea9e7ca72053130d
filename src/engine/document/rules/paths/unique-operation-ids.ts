/** Each operationId stands once; ids are case-sensitive (OAS 3.0.3, Operation Object). */

import { pointerOf } from '../../../lang/json-pointer';
import { errorOf, type Rule } from '../rule';

const finding = errorOf('operation-id');

export const uniqueOperationIds: Rule = ({ operations }) => {
  const seen = new Set<string>();
  return operations.flatMap(({ operationId, path, method }) => {
    if (!seen.has(operationId)) {
      seen.add(operationId);
      return [];
    }
    const message = `The operationId ${operationId} stands more than once, and only its first operation is served. Rename this one.`;
    return [finding(pointerOf(['paths', path, method, 'operationId']), message)];
  });
};
