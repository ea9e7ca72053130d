/** The observations of a proxy: how often each operation was asked and answered, what did not fit, and what never came. */

import { mediaTypeMatcher, parseMediaType } from '../../base/media-type';
import { emptyRecord } from '../../base/plain-object';
import type { ApiDocument } from '../../engine';
import { type MediaType, type Operation, requestMethod } from '../../model/operation';
import { sentStatus } from '../command/serving';
import type { Violation } from './check-messages';
import { type Passage, type ProxyOptions, uncheckedOf, violationsOf } from './proxy';

/** Notes one time that violations came, without the values that were sent. */
const sightOf = ({ request, response, answer, verdict }: Passage) => {
  const { method = '', url = '' } = request;
  // A path that no operation has is named without what may be a value.
  const withoutValues = url
    .replace(/[?#].*/s, '')
    .split('/', 12)
    .map((part) => (/^(?:v\d+|[a-z_-]{0,30})$/i.test(part) ? part : '{…}'))
    .join('/');
  return {
    time: new Date().toISOString(),
    method,
    // The document's template, where an operation was reached.
    path: verdict.operation?.path ?? withoutValues,
    status: answer?.statusCode ?? sentStatus(response),
  };
};

type Sight = ReturnType<typeof sightOf>;

const reachedKeys = ({ verdict, request, answer, ofResponse }: Passage): readonly string[] => {
  const { requestBody, responses = [] } = verdict.operation ?? {};
  const contentKeys = (part: string, content: readonly MediaType[] = [], contentType = '') => {
    const type = parseMediaType(contentType);
    const found = type && mediaTypeMatcher(content)(type);
    return found === undefined ? [] : [`${part} ${found.key}`];
  };
  const sent = contentKeys('request', requestBody?.content, request.headers['content-type']);
  const response = responses.find(({ key }) => key === ofResponse.key);
  if (response === undefined) return sent;
  const { key, content } = response;
  return [...sent, key, ...contentKeys(key, content, answer?.headers['content-type'])];
};

const countsFor = (operation: Operation | undefined) => ({
  operation,
  requests: 0,
  /** By what the upstream answered; of other requests by what the proxy did. */
  statuses: emptyRecord<number>(),
  /** By reason. */
  unchecked: emptyRecord<number>(),
  violations: new Map<string, Violation & { count: number; readonly first: Sight }>(),
  /** Violations beyond those that are kept. */
  furtherViolations: 0,
  /** The declared things that have come: `200`, `request application/json`, `200 application/json`. */
  reached: new Set<string>(),
});

type Counts = ReturnType<typeof countsFor>;

const note = (counts: Counts, violation: Violation, first: Sight): void => {
  const { violations, operation } = counts;
  const { on, rule, place, sentence } = violation;
  const where = operation === undefined ? `${first.method} ${first.path}` : '';
  const key = [on, rule, place, sentence, where].join('\n');
  const known = violations.get(key);
  if (known !== undefined) known.count += 1;
  else if (violations.size >= 200) counts.furtherViolations += 1;
  else violations.set(key, { ...violation, count: 1, first });
};

const operationReport = ({ operation, violations, reached, ...counts }: Counts) => {
  const { requestBody, responses = [] } = operation ?? {};
  const declaredKeys = [
    ...(requestBody?.content ?? []).map(({ key }) => `request ${key}`),
    ...responses.flatMap(({ key, content }) => [
      key,
      ...content.map((entry) => `${key} ${entry.key}`),
    ]),
  ];
  return {
    operation: operation?.operationId ?? 'no operation',
    endpoint: operation ? `${requestMethod(operation.method)} ${operation.path}` : '* any other',
    ...counts,
    violations: [...violations.values()],
    neverSeen: declaredKeys.filter((key) => !reached.has(key)),
  };
};

/** Makes what collects the passages of a proxy, and sums them up. */
export const observations = (
  { info, file, operations: declared }: ApiDocument,
  { upstream, mode }: Pick<ProxyOptions, 'upstream' | 'mode'>,
) => {
  const from = new Date().toISOString();
  const all = new Map(
    [...declared, undefined].map((operation) => [operation?.pointer, countsFor(operation)]),
  );
  const record = (passage: Passage): void => {
    const counts = all.get(passage.verdict.operation?.pointer);
    if (counts === undefined) return;
    const sight = sightOf(passage);
    const by = passage.answer === undefined ? ' by the proxy' : '';
    const add = (times: Record<string, number>, key: string): void => {
      times[key] = (times[key] ?? 0) + 1;
    };
    counts.requests += 1;
    add(counts.statuses, `${sight.status}${by}`);
    for (const reason of uncheckedOf(passage)) add(counts.unchecked, reason);
    for (const key of reachedKeys(passage)) counts.reached.add(key);
    for (const violation of violationsOf(passage)) note(counts, violation, sight);
  };
  const report = () => {
    const operations = [...all.values()].map(operationReport);
    const sum = (of: (one: (typeof operations)[number]) => number) =>
      operations.reduce((total, operation) => total + of(operation), 0);
    return {
      document: { title: info.title, version: info.version, file },
      upstream: upstream.href,
      mode,
      from,
      to: new Date().toISOString(),
      requests: sum((counted) => counted.requests),
      violations: sum((counted) =>
        counted.violations.reduce((total, { count }) => total + count, counted.furtherViolations),
      ),
      operations,
    };
  };
  return { record, report };
};
