/** Compares the headers of responses, and of the parts of multipart bodies. */

import type { DiffRuleId, Side } from '../rules/rules';
import type { SourceObject, SourceObjects } from '../values/source-objects';
import { compareFlag, isSet, type MessageComparison, spotOf } from './message-comparison';
import { compareWriting, isText, schemaOf } from './parameter-wire';

interface NamedHeader {
  readonly name: string;
  readonly header: SourceObject;
}

/** By their names in lower case; Content-Type is described by `content` (OAS 3.0.3, Response Object). */
const headersOf = (holder: SourceObject, source: SourceObjects): ReadonlyMap<string, NamedHeader> =>
  new Map(
    source
      .entries(holder.value['headers'])
      .filter(([name]) => name.toLowerCase() !== 'content-type')
      .map(([name, header]) => [name.toLowerCase(), { name, header }]),
  );

const compareHeader = (
  comparison: MessageComparison,
  old: SourceObject,
  now: SourceObject,
  side: Side,
): void => {
  const both = [old, now] as const;
  compareFlag(comparison, both, 'required', side, {
    set: 'header-became-required',
    unset: 'header-became-optional',
  });
  compareFlag(comparison, both, 'deprecated', side, {
    set: 'header-deprecated',
    unset: 'header-reactivated',
  });
  const isComparable = compareWriting(comparison, both, 'header', side, {
    style: 'header-style-changed',
    explode: 'header-style-changed',
    mediaType: 'header-style-changed',
  });
  if (!isComparable) return;
  const wire = { isText: isText(now), xml: undefined };
  comparison.compareSchemas(schemaOf(old), schemaOf(now), side, wire);
};

/** The rules of headers that have come or gone. */
export interface HeaderRules {
  readonly added: DiffRuleId;
  readonly requiredAdded: DiffRuleId;
  readonly removed: DiffRuleId;
  readonly requiredRemoved: DiffRuleId;
}

/** The rules of a response's headers. */
const responseHeaderRules: HeaderRules = {
  added: 'header-added',
  requiredAdded: 'header-added',
  removed: 'header-removed',
  requiredRemoved: 'required-header-removed',
};

/** Compares the `headers` of two objects. */
export const compareHeaders = (
  comparison: MessageComparison,
  [old, now]: readonly [SourceObject, SourceObject],
  side: Side,
  rules: HeaderRules = responseHeaderRules,
): void => {
  const olds = headersOf(old, comparison.old);
  const news = headersOf(now, comparison.new);
  const ruleFor = (header: SourceObject, required: DiffRuleId, optional: DiffRuleId) =>
    isSet(header, 'required') ? required : optional;
  for (const [key, { name, header }] of olds) {
    const next = news.get(key);
    const rule = ruleFor(header, rules.requiredRemoved, rules.removed);
    if (next) compareHeader(comparison, header, next.header, side);
    else comparison.report(rule, side, spotOf(header, name), undefined);
  }
  for (const [key, { name, header }] of news) {
    const rule = ruleFor(header, rules.requiredAdded, rules.added);
    if (!olds.has(key)) comparison.report(rule, side, undefined, spotOf(header, name));
  }
};
