/** Compares the headers of responses, and of the parts of multipart bodies. */

import type { Parameter } from '../../../model/operation';
import { entryPairs, type PresenceRules } from '../rules/finding';
import type { Side } from '../rules/rules';
import { compareFlag, type MessageComparison, reportLone } from './message-comparison';
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
export type HeaderRules = Readonly<Record<'optional' | 'required', PresenceRules>>;

/** The rules of a response's headers. */
const responseHeaderRules: HeaderRules = {
  optional: { added: 'header-added', removed: 'header-removed' },
  required: { added: 'header-added', removed: 'required-header-removed' },
};

/** Compares the headers of two objects. */
export const compareHeaders = (
  comparison: MessageComparison,
  [old, now]: readonly [Headers, Headers],
  side: Side,
  rules: HeaderRules = responseHeaderRules,
): void => {
  for (const [was, is] of entryPairs(byName(old), byName(now))) {
    if (was && is) compareHeader(comparison, was, is, side);
    else reportLone(comparison, side, [was, is], rules);
  }
};
