/** Tells of operations that are not served: once for each cause, behind what is said of the cause itself. */

import { groupBy } from '../../base/group-by';
import { pointerOf } from '../../base/json-pointer';
import type { Diagnostic, UnplacedDiagnostic } from './diagnostics/diagnostic';
import type { Operation } from './model/operation';

const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '');

/** Without a known cause, or for one operation alone, it stands where the operation does. */
const consequence = (
  reason: string,
  [first, ...others]: readonly Operation[],
  cause: Diagnostic | undefined,
  locate: (diagnostic: UnplacedDiagnostic) => Diagnostic,
): Diagnostic => {
  const { operationId = '', path = '', method = '' } = first ?? {};
  const diagnostic = { severity: 'error', rule: 'unserved-operation' } as const;
  const follows = cause !== undefined;
  if (cause !== undefined && others.length > 0) {
    const ids = [operationId, ...others.map((operation) => operation.operationId)];
    const message = `${ids.length} operations are not served until this is put right: ${ids.join(', ')}.`;
    return { ...cause, ...diagnostic, message, follows };
  }
  const and = others.length > 0 ? ` and ${others.length} others` : '';
  const message = `The operation ${operationId}${and} is not served until this is put right: ${withoutStop(reason)}.`;
  const pointer = pointerOf(['paths', path, method]);
  return { ...locate({ ...diagnostic, pointer, message }), follows };
};

/** The diagnostics, each cause followed by what it takes out of service. */
export const withUnservedOperations = (
  diagnostics: readonly Diagnostic[],
  operations: readonly Operation[],
  locate: (diagnostic: UnplacedDiagnostic) => Diagnostic,
): readonly Diagnostic[] => {
  const all = [...diagnostics];
  for (const [reason, unserved] of groupBy(operations, ({ invalidReason }) => invalidReason)) {
    if (reason === undefined) continue;
    const at = all.findIndex(({ message }) => message.startsWith(withoutStop(reason)));
    const told = consequence(reason, unserved, all[at], locate);
    all.splice(at < 0 ? all.length : at + 1, 0, told);
  }
  return all;
};
