/** The common parts of the comparisons of parameters, bodies and responses. */

import { mediaTypeMatcher, parseMediaType } from '../../../base/media-type';
import type { MessageField, Operation } from '../../../model/operation';
import type { Schema } from '../../../model/schema';
import { type Finding, type Reporter, reporter, type Spot } from '../rules/finding';
import type { DiffRuleId, Side } from '../rules/rules';
import type { CompareSchemas } from '../schemas/schema-comparison';
import type { Wire } from '../schemas/schema-pair';

/** The comparison of the messages of one side. */
export interface SideComparison extends Reporter {
  readonly side: Side;
  /** True for messages of webhooks and callbacks. */
  readonly isOfWebhook?: boolean;
  compareSchemas(old: Schema | undefined, now: Schema | undefined, wire: Wire): void;
}

/** The comparison of one operation. */
export interface MessageComparison {
  /** The side of what callers send, and of what they get; the other way round for callbacks and webhooks. */
  readonly sent: SideComparison;
  readonly received: SideComparison;
  /** Takes what is of neither side. */
  readonly whole: Reporter;
}

/** Makes the comparison of one operation; what it finds is added to the findings. */
export const messageComparison = (
  compareSchemas: CompareSchemas,
  findings: Finding[],
): MessageComparison => {
  const ofSide = (side: Side): SideComparison => ({
    ...reporter(findings, side),
    side,
    compareSchemas: (old, now, wire) => {
      for (const finding of compareSchemas(old, now, side, wire)) findings.push(finding);
    },
  });
  const whole = reporter(findings, 'document');
  return { sent: ofSide('request'), received: ofSide('response'), whole };
};

/** Tells whether a part of the field is unknown. */
export const isBroken = ({ brokenFields }: Operation, field: MessageField): boolean =>
  brokenFields.includes(field);

/** An object of the model that stands somewhere. */
export interface PlacedObject {
  readonly pointer: string;
}

/** An object as a place. */
export const spotOf = ({ pointer }: PlacedObject, text?: string): Spot => ({ pointer, text });

/** A field of an object as a place. */
export const fieldSpot = (
  { pointer }: PlacedObject,
  field: string,
  value?: string | boolean,
): Spot => ({
  pointer: `${pointer}/${field}`,
  text: value?.toString(),
  json: JSON.stringify(value),
});

/** A field that is true or false, and the rules of what sets and unsets it. */
export type Flag<Field extends string> = readonly [
  field: Field,
  set: DiffRuleId,
  unset: DiffRuleId,
];

/** Compares fields that are true or false. */
export const compareFlags = <Field extends string>(
  { report }: Reporter,
  old: PlacedObject & Readonly<Record<Field, boolean>>,
  now: PlacedObject & Readonly<Record<Field, boolean>>,
  ...flags: readonly Flag<Field>[]
): void => {
  for (const [field, set, unset] of flags) {
    if (old[field] === now[field]) continue;
    const before = old[field] ? fieldSpot(old, field) : undefined;
    report(now[field] ? set : unset, before, fieldSpot(now, field));
  }
};

/** Writes a media type as it is compared: case and an encoding of UTF-8 make no difference. */
export const normalised = (key: string): string => {
  const parsed = parseMediaType(key);
  if (parsed === undefined) return key.toLowerCase();
  const parameters = Object.entries(parsed.parameters)
    .filter(([name, value]) => name !== 'charset' || !/^utf-?8$/i.test(value))
    .map(([name, value]) => `;${name}=${value.toLowerCase()}`)
    .sort();
  return parsed.essence + parameters.join('');
};

/** Finds the entry that describes a media type, or all of a range: its own, or that of the narrowest range. */
export const entryFor = <Entry extends { readonly key: string }>(
  key: string,
  entries: ReadonlyMap<string, Entry>,
): Entry | undefined => {
  const type = parseMediaType(key);
  return entries.get(key) ?? (type && mediaTypeMatcher([...entries.values()])(type));
};
