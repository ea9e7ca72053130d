/** Operations whose part of the document cannot be used are named, so that nobody has to find out by calling them. */

import { pointerOf } from '../../../lang/json-pointer';
import type { UnplacedDiagnostic } from '../../diagnostics/diagnostic';
import { errorOf, type Rule } from '../rule';

export const usableOperations: Rule = ({ operations }) =>
  operations.flatMap(({ operationId, path, method, unusable }): UnplacedDiagnostic[] => {
    if (unusable === undefined) return [];
    const message = `The operation ${operationId} is not served until this is put right: ${unusable.replace(/\.?$/, '.')}`;
    return [errorOf('unserved-operation')(pointerOf(['paths', path, method]), message)];
  });
