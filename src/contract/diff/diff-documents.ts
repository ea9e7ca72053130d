/** Compares two documents by what they mean: which requests are still accepted, and which responses were promised. */

import type { LoadedDocument } from '../../document/document';
import { dayOf } from '../../model/deprecation';
import type { Operation } from '../../model/operation';
import { messageComparison } from './messages/message-comparison';
import {
  compareOperation,
  compareWebhook,
  operationSpot,
  pairOperations,
} from './operations/compare-operations';
import { compareServers } from './operations/compare-servers';
import { type Change, changePlacer, type Touched } from './place-changes';
import { bothOf, type Finding, reporter } from './rules/finding';
import { schemaComparison } from './schemas/schema-comparison';

const removedRule = (kind: 'operation' | 'webhook', gone: Operation | undefined, today: string) => {
  if (kind !== 'operation' || !gone?.deprecated) return `${kind}-removed` as const;
  if (gone.sunset === undefined) return 'deprecated-operation-removed';
  return `operation-removed-${today < dayOf(gone.sunset) ? 'before' : 'after'}-sunset` as const;
};

/**
 * Compares two documents.
 * @param today `YYYY-MM-DD` in UTC, on which it counts whether the sunset of an operation has come
 * @returns the changes of the document as a whole, then those of each operation in the order of the new document, and of each
 * webhook; operations that are gone come last. None where both documents mean the same.
 */
export const diffDocuments = (
  old: LoadedDocument,
  now: LoadedDocument,
  today = dayOf(new Date()),
): readonly Change[] => {
  const compareSchemas = schemaComparison(old, now);
  const place = changePlacer(old, now);

  /** Places findings; one that several media types or statuses of an operation make is listed once. */
  const placed = (findings: readonly Finding[], touched: Touched): readonly Change[] => {
    const changes = new Map<string, Change>();
    for (const finding of findings) {
      const { rule, side, ...spots } = finding;
      const texts = [spots.old, spots.new].flatMap((spot) => [spot?.pointer, spot?.text]);
      const key = JSON.stringify([rule, side, ...texts]);
      if (!changes.has(key)) changes.set(key, place(finding, touched));
    }
    return [...changes.values()];
  };

  const changesOf = (
    kind: 'operation' | 'webhook',
    olds: readonly Operation[],
    news: readonly Operation[],
    compare: typeof compareOperation,
  ): readonly Change[] =>
    pairOperations(olds, news).flatMap(([before, after]) => {
      const operation = after ?? before;
      if (operation === undefined) return [];
      const findings: Finding[] = [];
      const comparison = messageComparison(compareSchemas, findings);
      if (before && after) compare(comparison, before, after, { old, new: now });
      else {
        const removed = removedRule(kind, before, today);
        const rules = { added: `${kind}-added`, removed } as const;
        bothOf(comparison.whole, operationSpot(before), operationSpot(after), rules);
      }
      const { operationId, hasId, method, path } = operation;
      return placed(findings, { operation: hasId ? operationId : null, method, path });
    });

  const whole: Finding[] = [];
  compareServers(reporter(whole, 'document'), old.servers, now.servers);
  return [
    ...placed(whole, { operation: null, method: null, path: null }),
    ...changesOf('operation', old.operations, now.operations, compareOperation),
    ...changesOf('webhook', old.webhooks, now.webhooks, compareWebhook),
  ];
};
