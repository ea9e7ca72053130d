/** Compares an operation of the old document with that of the new one. */

import { type Operation, requestMethod } from '../../../model/operation';
import { compareBodies } from '../messages/compare-bodies';
import { compareParameters } from '../messages/compare-parameters';
import { compareResponses } from '../messages/compare-responses';
import {
  compareFlags,
  fieldSpot,
  inverse,
  type MessageComparison,
  spotOf,
} from '../messages/message-comparison';
import { bothOf, type Reporter, type Spot } from '../rules/finding';
import { compareSecurity } from './compare-security';
import { compareServers } from './compare-servers';
import { pairOperations } from './pair-operations';
import type { Documents } from './security-schemes';

const compareIds = ({ report }: Reporter, old: Operation, now: Operation): void => {
  if (!old.hasId || (now.hasId && old.operationId === now.operationId)) return;
  const spot = fieldSpot(now, 'operationId', now.hasId ? now.operationId : undefined);
  const before = fieldSpot(old, 'operationId', old.operationId);
  report('operation-id-changed', before, spot);
};

/** Compares parameters, bodies and responses; of what cannot be read in one of the documents it is unknown whether it has changed. */
export const compareMessages = (
  comparison: MessageComparison,
  old: Operation,
  now: Operation,
): void => {
  const isBroken = old.brokenFields.length > 0 || now.brokenFields.length > 0;
  if (isBroken && old.invalidReason !== now.invalidReason) {
    const spots = [spotOf(old, old.invalidReason), spotOf(now, now.invalidReason)] as const;
    comparison.whole.report('reference-broken', ...spots);
  }
  compareParameters(comparison, old, now);
  compareBodies(comparison, old, now);
  compareResponses(comparison, old, now);
};

/** The operations of all callbacks, as if their names were the beginning of their paths. */
const callbackOperations = ({ callbacks }: Operation): readonly Operation[] =>
  callbacks.flatMap(({ name, operations }) =>
    operations.map((one) => ({ ...one, path: `${name} ${one.path}` })),
  );

/** An operation as a place. */
export const operationSpot = (one: Operation | undefined): Spot | undefined =>
  one && spotOf(one, `${requestMethod(one.method)} ${one.path}`);

const compareOwnServers = (
  whole: Reporter,
  { servers: old }: Operation,
  { servers: now }: Operation,
  documents: Documents,
): void => {
  if (old.length === 0 && now.length === 0) return;
  compareServers(
    whole,
    old.length > 0 ? old : documents.old.servers,
    now.length > 0 ? now : documents.new.servers,
  );
};

/** Compares an operation of the old document with that of the new one. */
export const compareOperation = (
  comparison: MessageComparison,
  old: Operation,
  now: Operation,
  documents: Documents,
): void => {
  const { whole } = comparison;
  compareIds(whole, old, now);
  compareFlags(whole, old, now, ['deprecated', 'operation-deprecated', 'operation-reactivated']);
  compareOwnServers(whole, old, now, documents);
  compareSecurity(comparison.sent, old, now, documents);
  compareMessages(comparison, old, now);
  for (const pair of pairOperations(callbackOperations(old), callbackOperations(now))) {
    if (pair.old && pair.new) compareMessages(inverse(comparison), pair.old, pair.new);
    else bothOf(comparison.received, operationSpot(pair.old), operationSpot(pair.new), 'callback');
  }
};
