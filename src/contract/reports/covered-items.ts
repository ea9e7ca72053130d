/** The items that a run was to reach of an operation, for readers. */

import type {
  Covered,
  CoveredField,
  CoveredSecurity,
  OperationCoverage,
  SecurityKind,
} from '../tester/test-report';
import { counted, digits } from './counts';

/** `missed` was never reached and counts; `uncounted` was not reached and need not be. */
export type ItemState = 'failed' | 'missed' | 'reached' | 'uncounted';

/** One status, media type, field or kind of credential. */
export interface Item {
  readonly name: string;
  readonly state: ItemState;
  /** The counts, or the reason why it was not reached. */
  readonly text: string;
  readonly reason: string | undefined;
}

/** A column of the matrix. */
export interface ItemKind {
  readonly heading: string;
  /** The class of the column. */
  readonly column: 'statuses' | 'request' | 'response' | 'fields' | 'security';
  readonly items: readonly Item[];
}

/**
 * An operation as pages call it.
 * @param namesDocument whether there are several documents, so that it says its own
 */
export const nameOf = (
  { document, operation }: Pick<OperationCoverage, 'document' | 'operation'>,
  namesDocument: boolean,
): string => (namesDocument ? `${document}: ${operation}` : operation);

const withReason = (text: string, reason: string | undefined): string =>
  reason === undefined ? text : `${text}: ${reason}`;

const failuresText = (failed: number): string =>
  failed > 0 ? `, ${counted(failed, 'failure')}` : '';

type Counted = Pick<Covered, 'count' | 'failed' | 'reason' | 'counts'>;

const stateOf = ({ count, failed, counts }: Counted): ItemState => {
  if (failed > 0) return 'failed';
  if (count > 0) return 'reached';
  return counts ? 'missed' : 'uncounted';
};

const itemOf = (name: string, covered: Counted): Item => {
  const { count, failed, reason } = covered;
  const state = stateOf(covered);
  const texts: Readonly<Record<ItemState, string>> = {
    failed: counted(count, 'time') + failuresText(failed),
    reached: counted(count, 'time'),
    missed: withReason('never reached', reason),
    uncounted: withReason('not counted', reason),
  };
  return { name, state, reason, text: texts[state] };
};

/** Wrong values are reached when one was refused: then it is known that they are. */
const stateOfField = ({ valid, refused, failed, hasInvalid }: CoveredField): ItemState => {
  if (failed > 0) return 'failed';
  return valid === 0 || (hasInvalid && refused === 0) ? 'missed' : 'reached';
};

const fieldItem = (field: CoveredField): Item => {
  const { valid, invalid, refused, failed, hasInvalid, reason } = field;
  const wrong = hasInvalid ? `, ${digits(invalid)} invalid, ${digits(refused)} refused` : '';
  return {
    name: `${field.in} ${field.name}`,
    state: stateOfField(field),
    reason,
    text: withReason(`${digits(valid)} valid${wrong}${failuresText(failed)}`, reason),
  };
};

const credentials: Readonly<Record<SecurityKind, string>> = {
  none: 'no credential',
  wrong: 'wrong credential',
  'wrong-place': 'wrong place',
  'too-few-scopes': 'too few scopes',
  right: 'right credential',
};

const keyed = (covered: readonly Covered[]): readonly Item[] =>
  covered.map((one) => itemOf(one.key, one));

const securityItem = (one: CoveredSecurity): Item => itemOf(credentials[one.kind], one);

/** The five kinds, always all, in the order of the matrix. */
export const kindsOf = (operation: OperationCoverage): readonly ItemKind[] => [
  { heading: 'Statuses', column: 'statuses', items: keyed(operation.statuses) },
  { heading: 'Request types', column: 'request', items: keyed(operation.requestMediaTypes) },
  { heading: 'Response types', column: 'response', items: keyed(operation.responseMediaTypes) },
  { heading: 'Parameters and fields', column: 'fields', items: operation.fields.map(fieldItem) },
  { heading: 'Security', column: 'security', items: operation.security.map(securityItem) },
];

/** Counts the items in a state. */
export const countOf = (items: readonly Item[], state: ItemState): number =>
  items.filter((item) => item.state === state).length;
