/** A change before it is known which operations it touches and where in the files it stands. */

import type { DiffRuleId, Side } from './rules';

/** A place in a document, and what stands there in words. */
export interface Spot {
  /** JSON Pointer into the definition. */
  readonly pointer: string;
  readonly text?: string | undefined;
  /** The value as JSON text, whole and with all its digits; undefined where the text is words. */
  readonly json?: string | undefined;
}

/** A change between two places; one of them may be missing. */
export interface Finding {
  readonly rule: DiffRuleId;
  readonly side: Side;
  readonly old: Spot | undefined;
  readonly new: Spot | undefined;
}

/** Names of rules in pairs: `pattern` for `pattern-added` and `pattern-removed`. */
type RulePair = {
  [Id in DiffRuleId]: Id extends `${infer Name}-added`
    ? `${Name}-removed` extends DiffRuleId
      ? Name
      : never
    : never;
}[DiffRuleId];

/** The rules of something that only one of two objects may have. */
export type PresenceRules = RulePair | { readonly added: DiffRuleId; readonly removed: DiffRuleId };

/** A comparison that reports what it finds. */
export interface Reporter {
  readonly report: (rule: DiffRuleId, old: Spot | undefined, now: Spot | undefined) => void;
}

/** Makes what adds findings of one side to others. */
export const reporter = (findings: Finding[], side: Side): Reporter => ({
  report: (rule, old, now) => void findings.push({ rule, side, old, new: now }),
});

/** Reports what one of two objects alone has. Gives the two where both have it. */
export const bothOf = <Place extends Spot>(
  { report }: Reporter,
  old: Place | undefined,
  now: Place | undefined,
  rules: PresenceRules,
): readonly [old: Place, now: Place] | undefined => {
  if (old && now) return [old, now];
  const [added, removed] =
    typeof rules === 'string'
      ? ([`${rules}-added`, `${rules}-removed`] as const)
      : [rules.added, rules.removed];
  if (now) report(added, undefined, now);
  if (old) report(removed, old, undefined);
  return undefined;
};

/** Orders two values so that the messages of the first must be among those of the second: old requests, new responses first. */
export const inOrderOf = <Value>(
  side: Side,
  old: Value,
  now: Value,
): readonly [sub: Value, sup: Value] => (side === 'response' ? [now, old] : [old, now]);

/** Something of the old object and of the new one; one of them may not have it. */
export type Pair<Value> = readonly [old: Value | undefined, now: Value | undefined];

/** The places of what the old object alone has, or the new one alone. */
export const lone = <Place>(isOld: boolean, place: Place): Pair<Place> =>
  isOld ? [place, undefined] : [undefined, place];

/** Pairs the entries of two maps up by their keys: all of the old one, then those that the new one alone has. */
export const entryPairs = <Key, Value>(
  olds: ReadonlyMap<Key, Value>,
  news: ReadonlyMap<Key, Value>,
): readonly Pair<Value>[] =>
  [...new Set([...olds.keys(), ...news.keys()])].map((key) => [olds.get(key), news.get(key)]);

/** Pairs the entries of two lists up by their order. */
export const orderedPairs = <Value>(
  olds: readonly Value[],
  news: readonly Value[],
): readonly Pair<Value>[] =>
  Array.from({ length: Math.max(olds.length, news.length) }, (_, at) => [olds[at], news[at]]);
