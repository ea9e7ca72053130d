/** `example` and `examples`, `value` and `externalValue` exclude each other (OAS 3.0.3, Media Type and Example Object). */

import type { UnplacedDiagnostic } from '../../diagnostics/diagnostic';
import type { DocumentObject } from '../../structure/positions';
import { errorOf, ruleOf } from '../rule';

const exclude =
  (one: string, other: string) =>
  ({ value, pointer }: DocumentObject): UnplacedDiagnostic[] => {
    if (!Object.hasOwn(value, one) || !Object.hasOwn(value, other)) return [];
    const message = `Remove \`${one}\` or \`${other}\`: they exclude each other.`;
    return [errorOf('exclusive-fields')(`${pointer}/${other}`, message, true)];
  };

const examples = exclude('example', 'examples');

export const exclusiveFields = ruleOf({
  MediaType: examples,
  Parameter: examples,
  Header: examples,
  Example: exclude('value', 'externalValue'),
  Link: exclude('operationRef', 'operationId'),
});
