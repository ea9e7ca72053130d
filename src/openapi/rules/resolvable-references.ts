/** Every `$ref` leads somewhere (OAS 3.0.3, Reference Object); where one does not, only what needs it is lost. */

import { pointerOf } from '../json-pointer';
import type { Finding } from '../problem';
import { referenceOf, UnresolvableReference } from '../references';
import type { Rule } from './rule';

// Under these keys stands data, in which `$ref` has no meaning.
const dataKeys = new Set(['example', 'examples', 'default', 'enum', 'value']);

export const resolvableReferences: Rule = ({ definition, references }) => {
  const findings: Finding[] = [];
  const check = (ref: string, steps: readonly string[]): void => {
    try {
      references.resolve(ref);
    } catch (error) {
      if (!(error instanceof UnresolvableReference)) throw error;
      findings.push({
        severity: 'warning',
        pointer: pointerOf(steps),
        message: `${error.message}; whatever needs it is not served`,
      });
    }
  };
  const visit = (value: unknown, steps: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    const ref = referenceOf(value);
    if (ref !== undefined) {
      check(ref, [...steps, '$ref']);
      return;
    }
    for (const [key, item] of Object.entries(value)) {
      if (!dataKeys.has(key)) visit(item, [...steps, key]);
    }
  };
  visit(definition, []);
  return findings;
};
