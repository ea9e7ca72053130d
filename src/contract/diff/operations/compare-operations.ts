/** Compares an operation of the old document with that of the new one. */

import { type Operation, requestMethod } from '../../../model/operation';
import { compareBodies } from '../messages/compare-bodies';
import { compareParameters } from '../messages/compare-parameters';
import { compareResponses } from '../messages/compare-responses';
import {
  compareFlag,
  fieldSpot,
  type MessageComparison,
  spotOf,
} from '../messages/message-comparison';
import { compareSecurity } from './compare-security';
import { compareServers } from './compare-servers';
import { pairOperations } from './pair-operations';
import type { Shared } from './security-schemes';

const compareIds = ({ report }: MessageComparison, old: Operation, now: Operation): void => {
  if (!old.hasId || (now.hasId && old.operationId === now.operationId)) return;
  const spot = fieldSpot(now, 'operationId', now.hasId ? now.operationId : undefined);
  const before = fieldSpot(old, 'operationId', old.operationId);
  report('operation-id-changed', 'document', before, spot);
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
    comparison.report('reference-broken', 'document', ...spots);
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

/** In callbacks the server sends, and its caller answers: the sides are exchanged. */
const compareCallbacks = (comparison: MessageComparison, old: Operation, now: Operation): void => {
  const { report, sent, received } = comparison;
  const inverse = { ...comparison, sent: received, received: sent };
  const spot = (one: Operation) => spotOf(one, `${requestMethod(one.method)} ${one.path}`);
  for (const pair of pairOperations(callbackOperations(old), callbackOperations(now))) {
    if (pair.old && pair.new) compareMessages(inverse, pair.old, pair.new);
    else if (pair.old) report('callback-removed', received, spot(pair.old), undefined);
    else if (pair.new) report('callback-added', received, undefined, spot(pair.new));
  }
};

const compareOwnServers = (
  { report }: MessageComparison,
  [old, now]: readonly [Operation, Operation],
  documents: Shared,
): void => {
  const [was, is] = [old.servers, now.servers];
  if (was.length === 0 && is.length === 0) return;
  compareServers(
    (rule, spot, newSpot) => report(rule, 'document', spot, newSpot),
    was.length > 0 ? was : documents.old.servers,
    is.length > 0 ? is : documents.new.servers,
  );
};

/** Compares an operation of the old document with that of the new one. */
export const compareOperation = (
  comparison: MessageComparison,
  old: Operation,
  now: Operation,
  shared: Shared,
): void => {
  const both = [old, now] as const;
  compareIds(comparison, old, now);
  compareFlag(comparison, both, 'deprecated', 'document', {
    set: 'operation-deprecated',
    unset: 'operation-reactivated',
  });
  compareOwnServers(comparison, both, shared);
  compareSecurity(comparison, both, shared);
  compareMessages(comparison, old, now);
  compareCallbacks(comparison, old, now);
};
