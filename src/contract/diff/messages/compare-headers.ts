/** Compares the headers of responses, and of the parts of multipart bodies. */

import type { Parameter } from '../../../model/operation';
import type { Spot } from '../rules/finding';
import type { DiffRuleId, Side } from '../rules/rules';
import { compareFlag, type MessageComparison, spotOf } from './message-comparison';
import { compareValues } from './parameter-wire';

type Headers = readonly Parameter[];

const byName = (headers: Headers): ReadonlyMap<string, Parameter> =>
  new Map(headers.map((header) => [header.name.toLowerCase(), header]));

const compareHeader = (
  comparison: MessageComparison,
  old: Parameter,
  now: Parameter,
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
  compareValues(comparison, both, side, {
    style: 'header-style-changed',
    explode: 'header-style-changed',
    mediaType: 'header-style-changed',
  });
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

/** Compares the headers of two objects. */
export const compareHeaders = (
  comparison: MessageComparison,
  [old, now]: readonly [Headers, Headers],
  side: Side,
  { added, requiredAdded, removed, requiredRemoved }: HeaderRules = responseHeaderRules,
): void => {
  const [olds, news] = [byName(old), byName(now)];
  const spot = (header: Parameter): Spot => spotOf(header, header.name);
  for (const [key, header] of olds) {
    const next = news.get(key);
    const rule = header.required ? requiredRemoved : removed;
    if (next) compareHeader(comparison, header, next, side);
    else comparison.report(rule, side, spot(header), undefined);
  }
  for (const header of now.filter(({ name }) => !olds.has(name.toLowerCase()))) {
    const rule = header.required ? requiredAdded : added;
    comparison.report(rule, side, undefined, spot(header));
  }
};
