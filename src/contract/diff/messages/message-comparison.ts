/** The common parts of the comparisons of parameters, bodies and responses. */

import type { Finding, Spot } from '../rules/finding';
import type { DiffRuleId, Side } from '../rules/rules';
import type { SchemaComparison } from '../schemas/schema-comparison';
import type { Wire } from '../schemas/schema-pair';
import type { SourceObject, SourceObjects } from '../values/source-objects';

/** The comparison of one operation. */
export interface MessageComparison {
  readonly old: SourceObjects;
  readonly new: SourceObjects;
  /** The side of what callers send, and of what they get; the other way round for callbacks. */
  readonly sent: Side;
  readonly received: Side;
  report(rule: DiffRuleId, side: Side, old: Spot | undefined, now: Spot | undefined): void;
  compareSchemas(old: unknown, now: unknown, side: Side, wire: Wire): void;
}

/** Makes the comparison of one operation; what it finds is added to the findings. */
export const messageComparison = (
  sources: Pick<MessageComparison, 'old' | 'new'>,
  schemas: SchemaComparison,
  findings: Finding[],
  sides: Pick<MessageComparison, 'sent' | 'received'> = { sent: 'request', received: 'response' },
): MessageComparison => ({
  ...sources,
  ...sides,
  report: (rule, side, old, now) => void findings.push({ rule, side, old, new: now }),
  compareSchemas: (old, now, side, wire) => {
    for (const finding of schemas.compare(old, now, side, wire)) findings.push(finding);
  },
});

/** An object as a place. */
export const spotOf = ({ pointer }: SourceObject, text?: string): Spot => ({ pointer, text });

/** A field of an object as a place. */
export const fieldSpot = (
  { pointer }: SourceObject,
  field: string,
  value?: string | boolean,
): Spot => ({
  pointer: `${pointer}/${field}`,
  text: value?.toString(),
  json: JSON.stringify(value),
});

/** Tells whether a field is true. */
export const isSet = ({ value }: SourceObject, field: string): boolean => value[field] === true;

/** Rules for a field that is true or false. */
interface FlagRules {
  readonly set: DiffRuleId;
  readonly unset: DiffRuleId;
}

/** Compares a field that is true or false. */
export const compareFlag = (
  comparison: MessageComparison,
  [old, now]: readonly [SourceObject, SourceObject],
  field: string,
  side: Side,
  rules: FlagRules,
): void => {
  const [was, is] = [isSet(old, field), isSet(now, field)];
  if (was === is) return;
  const spots = [was ? fieldSpot(old, field) : undefined, fieldSpot(now, field)] as const;
  comparison.report(is ? rules.set : rules.unset, side, ...spots);
};
