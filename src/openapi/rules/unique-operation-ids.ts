/** Each operationId stands once; ids are case-sensitive (OAS 3.0.3, Operation Object). */

import { pointerOf } from '../json-pointer';
import type { Rule } from './rule';

export const uniqueOperationIds: Rule = ({ operations }) => {
  const seen = new Set<string>();
  return operations.flatMap(({ operationId, path, method }) => {
    if (!seen.has(operationId)) {
      seen.add(operationId);
      return [];
    }
    const pointer = pointerOf(['paths', path, method, 'operationId']);
    const message = `The operationId ${operationId} stands more than once; only its first operation is served`;
    return [{ severity: 'error' as const, pointer, message }];
  });
};
