/** The common parts of the comparisons of parameters, bodies and responses. */

import type { MessageField, Operation, Parameter } from '../../../model/operation';
import type { Schema } from '../../../model/schema';
import type { Finding, PresenceRules, Spot } from '../rules/finding';
import type { DiffRuleId, Side } from '../rules/rules';
import type { SchemaComparison } from '../schemas/schema-comparison';
import type { Wire } from '../schemas/schema-pair';

/** The comparison of one operation. */
export interface MessageComparison {
  /** The side of what callers send, and of what they get; the other way round for callbacks and webhooks. */
  readonly sent: Side;
  readonly received: Side;
  report(rule: DiffRuleId, side: Side, old: Spot | undefined, now: Spot | undefined): void;
  compareSchemas(old: Schema | undefined, now: Schema | undefined, side: Side, wire: Wire): void;
}

/** Makes the comparison of one operation; what it finds is added to the findings. */
export const messageComparison = (
  schemas: SchemaComparison,
  findings: Finding[],
  sides: Pick<MessageComparison, 'sent' | 'received'>,
): MessageComparison => ({
  ...sides,
  report: (rule, side, old, now) => void findings.push({ rule, side, old, new: now }),
  compareSchemas: (old, now, side, wire) => {
    for (const finding of schemas.compare(old, now, side, wire)) findings.push(finding);
  },
});

/** Tells whether a part of the field is unknown. */
export const isBroken = ({ brokenFields }: Operation, field: MessageField): boolean =>
  brokenFields.includes(field);

/** An object of the model that stands somewhere. */
export interface Placed {
  readonly pointer: string;
}

/** An object as a place. */
export const spotOf = ({ pointer }: Placed, text?: string): Spot => ({ pointer, text });

/** A field of an object as a place. */
export const fieldSpot = ({ pointer }: Placed, field: string, value?: string | boolean): Spot => ({
  pointer: `${pointer}/${field}`,
  text: value?.toString(),
  json: JSON.stringify(value),
});

/** Reports a parameter or header that one of two operations alone has. */
export const reportLone = (
  { report }: MessageComparison,
  side: Side,
  [old, now]: readonly [Parameter | undefined, Parameter | undefined],
  rules: Readonly<Record<'optional' | 'required', PresenceRules>>,
): void => {
  const spot = (one: Parameter | undefined) => one && spotOf(one, one.name);
  const { added, removed } = rules[(old ?? now)?.required ? 'required' : 'optional'];
  report(old === undefined ? added : removed, side, spot(old), spot(now));
};

/** Rules for a field that is true or false. */
interface FlagRules {
  readonly set: DiffRuleId;
  readonly unset: DiffRuleId;
}

/** Compares a field that is true or false. */
export const compareFlag = <Field extends string>(
  comparison: MessageComparison,
  [old, now]: readonly [Placed & Record<Field, boolean>, Placed & Record<Field, boolean>],
  field: Field,
  side: Side,
  rules: FlagRules,
): void => {
  const [was, is] = [old[field], now[field]];
  if (was === is) return;
  const spots = [was ? fieldSpot(old, field) : undefined, fieldSpot(now, field)] as const;
  comparison.report(is ? rules.set : rules.unset, side, ...spots);
};
