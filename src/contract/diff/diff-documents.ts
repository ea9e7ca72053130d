/** Compares two documents by what they mean: which requests are still accepted, and which responses were promised. */

import type { LoadedDocument } from '../../document/document';
import { type Operation, requestMethod } from '../../model/operation';
import type { Change } from './change';
import { messageComparison } from './messages/message-comparison';
import { compareMessages, compareOperation } from './operations/compare-operations';
import { compareServers } from './operations/compare-servers';
import { type OperationPair, pairOperations } from './operations/pair-operations';
import { compareSchemes } from './operations/security-schemes';
import { type ChangePlacer, changePlacer, type Touched, wholeDocument } from './place-changes';
import type { Finding, Report } from './rules/finding';
import { schemaComparison } from './schemas/schema-comparison';

const touchedBy = ({ operationId, hasId, method, path }: Operation): Touched => ({
  operation: hasId ? operationId : null,
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

type Kind = 'operation' | 'webhook';

const goneOrNew = ({ old, new: now }: OperationPair, report: Report, kind: Kind): void => {
  const spot = ({ method, path, pointer }: Operation) => ({
    pointer,
    text: `${requestMethod(method)} ${path}`,
  });
  const isDeprecated = kind === 'operation' && old?.deprecated === true;
  const removed = isDeprecated ? 'deprecated-operation-removed' : (`${kind}-removed` as const);
  if (old !== undefined) report(removed, spot(old), undefined);
  if (now !== undefined) report(`${kind}-added`, undefined, spot(now));
};

const sides = { sent: 'request', received: 'response' } as const;

/** In webhooks the server sends. */
const webhookSides = { sent: 'response', received: 'request' } as const;

/**
 * Compares two documents.
 * @returns the changes of the document as a whole, then those of each operation in the order of the new document, and of each
 * webhook; operations that are gone come last. None where both documents mean the same.
 */
export const diffDocuments = (old: LoadedDocument, now: LoadedDocument): readonly Change[] => {
  const schemas = schemaComparison(old, now);
  const shared = { old, new: now, schemes: compareSchemes(old, now) };
  const placer = changePlacer(old, now);

  const whole: Finding[] = [];
  compareServers(reporter(whole), old.servers, now.servers);

  const changesOf = (
    kind: Kind,
    pairs: readonly OperationPair[],
    compare: (findings: Finding[], old: Operation, now: Operation) => void,
  ): readonly Change[] =>
    pairs.flatMap((pair) => {
      const findings: Finding[] = [];
      if (pair.old && pair.new) compare(findings, pair.old, pair.new);
      else goneOrNew(pair, reporter(findings), kind);
      const operation = pair.new ?? pair.old;
      return operation === undefined ? [] : placed(findings, touchedBy(operation), placer);
    });

  return [
    ...placed(whole, wholeDocument, placer),
    ...changesOf(
      'operation',
      pairOperations(old.operations, now.operations),
      (findings, before, after) =>
        compareOperation(messageComparison(schemas, findings, sides), before, after, shared),
    ),
    ...changesOf('webhook', pairOperations(old.webhooks, now.webhooks), (findings, before, after) =>
      compareMessages(messageComparison(schemas, findings, webhookSides), before, after),
    ),
  ];
};
