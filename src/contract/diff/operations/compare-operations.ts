/** Compares an operation of the old document with that of the new one. */

import { compareBodies } from '../messages/compare-bodies';
import { compareParameters } from '../messages/compare-parameters';
import { compareResponses } from '../messages/compare-responses';
import {
  compareFlag,
  fieldSpot,
  type MessageComparison,
  spotOf,
} from '../messages/message-comparison';
import type { SourceObject } from '../values/source-objects';
import { compareSecurity } from './compare-security';
import { compareServers, ownServers } from './compare-servers';
import { type FoundOperation, operationsOf, pairOperations } from './operations-of';
import type { SchemeComparison } from './security-schemes';

const compareIds = ({ report }: MessageComparison, old: SourceObject, now: SourceObject): void => {
  const [was, is] = [old.value['operationId'], now.value['operationId']];
  if (was === undefined || was === is) return;
  const spot = fieldSpot(now, 'operationId', is === undefined ? undefined : String(is));
  report('operation-id-changed', 'document', fieldSpot(old, 'operationId', String(was)), spot);
};

const compareMessages = (
  comparison: MessageComparison,
  old: FoundOperation,
  now: FoundOperation,
): void => {
  compareParameters(comparison, old, now);
  compareBodies(comparison, old.operation, now.operation);
  compareResponses(comparison, old.operation, now.operation);
};

/** The operations of one callback, as if its name were the beginning of their paths. */
const callbackOperations = (
  { operation }: FoundOperation,
  source: MessageComparison['old'],
): readonly FoundOperation[] =>
  source
    .entries(operation.value['callbacks'])
    .filter(([name]) => !name.startsWith('x-'))
    .flatMap(([name, callback]) =>
      operationsOf(callback.value, source).map((one) => ({ ...one, path: `${name} ${one.path}` })),
    );

/** In callbacks the server sends, and its caller answers: the sides are exchanged. */
const compareCallbacks = (
  comparison: MessageComparison,
  old: FoundOperation,
  now: FoundOperation,
): void => {
  const { report, sent, received } = comparison;
  const inverse = { ...comparison, sent: received, received: sent };
  const pairs = pairOperations(
    callbackOperations(old, comparison.old),
    callbackOperations(now, comparison.new),
  );
  const spot = ({ operation, method, path }: FoundOperation) =>
    spotOf(operation, `${method.toUpperCase()} ${path}`);
  for (const { old: one, new: next } of pairs) {
    if (one && next) compareMessages(inverse, one, next);
    else if (one) report('callback-removed', received, spot(one), undefined);
    else if (next) report('callback-added', received, undefined, spot(next));
  }
};

const compareOwnServers = (
  { report, old: source, new: newSource }: MessageComparison,
  old: FoundOperation,
  now: FoundOperation,
): void => {
  const [was, is] = [ownServers(old), ownServers(now)];
  if (was === undefined && is === undefined) return;
  const shared = ({ document }: MessageComparison['old']) => ({
    pointer: '/servers',
    list: document.definition.servers,
  });
  compareServers(
    (rule, spot, newSpot) => report(rule, 'document', spot, newSpot),
    was ?? shared(source),
    is ?? shared(newSource),
  );
};

/** Compares an operation of the old document with that of the new one. */
export const compareOperation = (
  comparison: MessageComparison,
  old: FoundOperation,
  now: FoundOperation,
  schemes: SchemeComparison,
): void => {
  const both = [old.operation, now.operation] as const;
  compareIds(comparison, ...both);
  compareFlag(comparison, both, 'deprecated', 'document', {
    set: 'operation-deprecated',
    unset: 'operation-reactivated',
  });
  compareOwnServers(comparison, old, now);
  compareSecurity(comparison, both, schemes);
  compareMessages(comparison, old, now);
  compareCallbacks(comparison, old, now);
};
