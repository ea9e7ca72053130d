/** Compares two documents by what they mean: which requests are still accepted, and which responses were promised. */

import type { ApiDocument } from '../../engine';
import type { Change } from './change';
import { messageComparison } from './messages/message-comparison';
import { compareOperation } from './operations/compare-operations';
import { compareServers } from './operations/compare-servers';
import {
  type FoundOperation,
  type OperationPair,
  operationsOf,
  pairOperations,
} from './operations/operations-of';
import { compareSchemes } from './operations/security-schemes';
import { type ChangePlacer, changePlacer, type Touched, wholeDocument } from './place-changes';
import type { Finding, Report } from './rules/finding';
import { schemaComparison } from './schemas/schema-comparison';
import { sourceObjects } from './values/source-objects';

const touchedBy = ({ operationId, method, path }: FoundOperation): Touched => ({
  operation: operationId ?? null,
  method,
  path,
});

/** Places findings; one that several media types or statuses of an operation make is listed once. */
const placed = (
  findings: readonly Finding[],
  touched: Touched,
  { place }: ChangePlacer,
): readonly Change[] => {
  const changes = new Map<string, Change>();
  for (const finding of findings) {
    const { rule, side, old, new: now } = finding;
    const key = JSON.stringify([rule, side, old?.pointer, now?.pointer, old?.text, now?.text]);
    if (!changes.has(key)) changes.set(key, place(finding, touched));
  }
  return [...changes.values()];
};

const reporter =
  (findings: Finding[]): Report =>
  (rule, old, now) =>
    void findings.push({ rule, side: 'document', old, new: now });

const goneOrNew = (
  old: FoundOperation | undefined,
  now: FoundOperation | undefined,
  report: Report,
): void => {
  const spot = ({ method, path, operation }: FoundOperation) => ({
    pointer: operation.pointer,
    text: `${method.toUpperCase()} ${path}`,
  });
  const isDeprecated = old?.operation.value['deprecated'] === true;
  const rule = isDeprecated ? 'deprecated-operation-removed' : 'operation-removed';
  if (old !== undefined) report(rule, spot(old), undefined);
  if (now !== undefined) report('operation-added', undefined, spot(now));
};

/**
 * Compares two documents.
 * @returns the changes of the document as a whole, then those of each operation in the order of the new document; operations
 * that are gone come last. None where both documents mean the same.
 */
export const diffDocuments = (old: ApiDocument, now: ApiDocument): readonly Change[] => {
  const sources = { old: sourceObjects(old), new: sourceObjects(now) };
  const schemas = schemaComparison(sources.old, sources.new);
  const schemes = compareSchemes(sources.old, sources.new);
  const placer = changePlacer(sources.old, sources.new);

  const whole: Finding[] = [];
  compareServers(
    reporter(whole),
    { pointer: '/servers', list: old.definition.servers },
    { pointer: '/servers', list: now.definition.servers },
  );

  const changesOf = ({ old: before, new: after }: OperationPair): readonly Change[] => {
    const findings: Finding[] = [];
    if (before && after) {
      compareOperation(messageComparison(sources, schemas, findings), before, after, schemes);
    } else goneOrNew(before, after, reporter(findings));
    const operation = after ?? before;
    return operation === undefined ? [] : placed(findings, touchedBy(operation), placer);
  };

  const pairs = pairOperations(
    operationsOf(old.definition.paths, sources.old),
    operationsOf(now.definition.paths, sources.new),
  );
  return [...placed(whole, wholeDocument, placer), ...pairs.flatMap(changesOf)];
};
