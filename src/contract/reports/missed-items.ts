/** The items that a run was to reach of an operation, and did not. */

import { groupBy } from '../../base/group-by';
import type {
  Covered,
  CoveredField,
  CoveredSecurity,
  OperationCoverage,
  SecurityKind,
} from '../tester/test-report';

const credentials: Readonly<Record<SecurityKind, string>> = {
  none: 'no credential',
  wrong: 'wrong credential',
  'wrong-place': 'wrong place',
  'too-few-scopes': 'too few scopes',
  right: 'right credential',
};

/** Tells whether something was not seen and counts. */
const isMissed = ({ count, failed, counts }: Covered | CoveredSecurity): boolean =>
  failed === 0 && count === 0 && counts;

/** Wrong values are reached when one was refused: then it is known that they are. */
const isMissedField = ({ valid, refused, failed, hasInvalid }: CoveredField): boolean =>
  failed === 0 && (valid === 0 || (hasInvalid && refused === 0));

/** Names what was never reached by the reason: statuses, media types, fields, then credentials. */
export const missedByReason = ({
  statuses,
  requestMediaTypes,
  responseMediaTypes,
  fields,
  security,
}: OperationCoverage): readonly (readonly [reason: string, names: string])[] => {
  const keyed = [...statuses, ...requestMediaTypes, ...responseMediaTypes];
  const missed = [
    ...keyed.filter(isMissed).map(({ key, reason }) => ({ name: key, reason })),
    ...fields
      .filter(isMissedField)
      .map(({ in: where, name, reason }) => ({ name: `${where} ${name}`, reason })),
    ...security.filter(isMissed).map(({ kind, reason }) => ({ name: credentials[kind], reason })),
  ];
  return [...groupBy(missed, ({ reason }) => reason ?? 'no reason is known')].map(
    ([reason, alike]) => [reason, alike.map(({ name }) => name).join(', ')],
  );
};
