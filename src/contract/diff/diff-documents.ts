/** Compares two documents by what they mean: which requests are still accepted, and which responses were promised. */

import type { LoadedDocument } from '../../document/document';
import type { Operation } from '../../model/operation';
import type { Change } from './change';
import { inverse, type MessageComparison, messageComparison } from './messages/message-comparison';
import { compareMessages, compareOperation, operationSpot } from './operations/compare-operations';
import { compareServers } from './operations/compare-servers';
import { type OperationPair, pairOperations } from './operations/pair-operations';
import { changePlacer, type PlaceFinding, type Touched, wholeDocument } from './place-changes';
import { bothOf, type Finding, type Reporter, reporter } from './rules/finding';
import { schemaComparison } from './schemas/schema-comparison';

/** Places findings; one that several media types or statuses of an operation make is listed once. */
const placed = (
  findings: readonly Finding[],
  touched: Touched,
  place: PlaceFinding,
): readonly Change[] => {
  const changes = new Map<string, Change>();
  for (const finding of findings) {
    const { rule, side, old, new: now } = finding;
    const key = JSON.stringify([rule, side, old?.pointer, now?.pointer, old?.text, now?.text]);
    if (!changes.has(key)) changes.set(key, place(finding, touched));
  }
  return [...changes.values()];
};

type Kind = 'operation' | 'webhook';

const goneOrNew = ({ old, new: now }: OperationPair, whole: Reporter, kind: Kind): void => {
  const isDeprecated = kind === 'operation' && old?.deprecated === true;
  const removed = isDeprecated ? 'deprecated-operation-removed' : (`${kind}-removed` as const);
  bothOf(whole, operationSpot(old), operationSpot(now), { added: `${kind}-added`, removed });
};

/**
 * Compares two documents.
 * @returns the changes of the document as a whole, then those of each operation in the order of the new document, and of each
 * webhook; operations that are gone come last. None where both documents mean the same.
 */
export const diffDocuments = (old: LoadedDocument, now: LoadedDocument): readonly Change[] => {
  const compareSchemas = schemaComparison(old, now);
  const documents = { old, new: now };
  const place = changePlacer(old, now);

  const whole: Finding[] = [];
  compareServers(reporter(whole, 'document'), old.servers, now.servers);

  const changesOf = (
    kind: Kind,
    pairs: readonly OperationPair[],
    compare: (comparison: MessageComparison, old: Operation, now: Operation) => void,
  ): readonly Change[] =>
    pairs.flatMap((pair) => {
      const findings: Finding[] = [];
      const comparison = messageComparison(compareSchemas, findings);
      if (pair.old && pair.new) compare(comparison, pair.old, pair.new);
      else goneOrNew(pair, comparison.whole, kind);
      const operation = pair.new ?? pair.old;
      if (operation === undefined) return [];
      const { operationId, hasId, method, path } = operation;
      return placed(findings, { operation: hasId ? operationId : null, method, path }, place);
    });

  return [
    ...placed(whole, wholeDocument, place),
    ...changesOf(
      'operation',
      pairOperations(old.operations, now.operations),
      (comparison, before, after) => compareOperation(comparison, before, after, documents),
    ),
    ...changesOf(
      'webhook',
      pairOperations(old.webhooks, now.webhooks),
      (comparison, before, after) => compareMessages(inverse(comparison), before, after),
    ),
  ];
};
