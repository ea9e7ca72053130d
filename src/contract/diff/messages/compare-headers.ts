/** Compares the headers of responses, and of the parts of multipart bodies. */

import type { Parameter } from '../../../model/operation';
import { entryPairs } from '../rules/finding';
import { compareParameter, type ParameterRules } from './compare-parameter';
import type { SideComparison } from './message-comparison';

type Headers = readonly Parameter[];

const byName = (headers: Headers): ReadonlyMap<string, Parameter> =>
  new Map(headers.map((header) => [header.name.toLowerCase(), header]));

/** The rules of a response's headers. */
export const headerRules: ParameterRules = {
  optional: 'header',
  required: { added: 'header-added', removed: 'required-header-removed' },
  flags: [
    ['required', 'header-became-required', 'header-became-optional'],
    ['deprecated', 'header-deprecated', 'header-reactivated'],
  ],
  style: 'header-style-changed',
  explode: 'header-style-changed',
  mediaType: 'header-style-changed',
};

/** Compares the headers of two objects. */
export const compareHeaders = (
  comparison: SideComparison,
  old: Headers = [],
  now: Headers = [],
  rules = headerRules,
): void => {
  for (const both of entryPairs(byName(old), byName(now))) {
    compareParameter(comparison, ...both, rules);
  }
};
