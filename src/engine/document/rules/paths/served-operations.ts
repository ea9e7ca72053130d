/** What is not served is reported at the start, so that nobody has to find out by calling it. */

import { pointerOf } from '../../../lang/json-pointer';
import { errorOf, type Rule } from '../rule';

export const servedOperations: Rule = ({ operations }) =>
  operations.some(({ invalidReason }) => invalidReason === undefined)
    ? []
    : [
        errorOf('nothing-served')(
          '/paths',
          operations.length === 0
            ? 'The document has no operation, and every request is answered 404. Add one under `paths`.'
            : 'None of the operations can be served, and every request is answered 501. Put right what is reported of them.',
          true,
        ),
      ];

export const usableOperations: Rule = ({ operations }) =>
  operations.flatMap(({ operationId, path, method, invalidReason }) => {
    if (invalidReason === undefined) return [];
    const message = `The operation ${operationId} is not served until this is put right: ${invalidReason.replace(/\.?$/, '.')}`;
    return [errorOf('unserved-operation')(pointerOf(['paths', path, method]), message)];
  });
