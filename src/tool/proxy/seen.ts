/** The observations of a proxy: how often each operation was asked and answered, what did not fit, and what never came. */

import { mediaTypeMatcher, parseMediaType } from '../../base/media-type';
import { emptyRecord } from '../../base/plain-object';
import type { ApiDocument } from '../../engine';
import { type MediaType, type Operation, requestMethod } from '../../model/operation';
import { sentStatus } from '../command/serving';
import type { Violation } from './check-response';
import { type Passage, type ProxyOptions, uncheckedOf, violationsOf } from './proxy';

/** One time that a violation came, without the values that were sent. */
interface Sight {
  readonly time: string;
  readonly method: string;
  /** The document's template, where an operation was reached. */
  readonly path: string;
  readonly status: number;
}

/** Different violations of one operation that are kept. */
const mostViolations = 200;

const add = (counts: Record<string, number>, key: string): void => {
  counts[key] = (counts[key] ?? 0) + 1;
};

/** Returns a path that no operation has, without what may be a value. */
const withoutValues = (target: string): string =>
  target
    .replace(/[?#].*/s, '')
    .split('/', 12)
    .map((part) => (/^(?:v\d+|[a-z_-]{0,30})$/i.test(part) ? part : '{…}'))
    .join('/');

const sightOf = (passage: Passage): Sight => {
  const { request, answer, verdict } = passage;
  const { method = '', url = '' } = request;
  return {
    time: new Date().toISOString(),
    method,
    path: verdict.operation?.path ?? withoutValues(url),
    status: answer?.statusCode ?? sentStatus(passage.response),
  };
};

const keyOf = (content: readonly MediaType[] = [], contentType = ''): readonly string[] => {
  const type = parseMediaType(contentType);
  const found = type && mediaTypeMatcher(content)(type);
  return found === undefined ? [] : [found.key];
};

/** Lists what an operation declares, by the keys of `reached`. */
const declaredKeys = ({ requestBody, responses }: Operation): readonly string[] => [
  ...(requestBody?.content ?? []).map(({ key }) => `request ${key}`),
  ...responses.flatMap(({ key, content }) => [key, ...content.map((one) => `${key} ${one.key}`)]),
];

const reachedKeys = ({ verdict, request, answer, ofResponse }: Passage): readonly string[] => {
  const { requestBody, responses = [] } = verdict.operation ?? {};
  const response = responses.find(({ key }) => key === ofResponse.key);
  const sent = keyOf(requestBody?.content, request.headers['content-type']);
  const came = keyOf(response?.content, answer?.headers['content-type']);
  return [
    ...sent.map((key) => `request ${key}`),
    ...(response === undefined ? [] : [response.key]),
    ...came.map((key) => `${response?.key} ${key}`),
  ];
};

/** Begins the counts of an operation. */
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
  else if (violations.size >= mostViolations) counts.furtherViolations += 1;
  else violations.set(key, { ...violation, count: 1, first });
};

/** Sums up the counts of an operation. */
const operationReport = ({ operation, violations, reached, ...counts }: Counts) => ({
  operation: operation?.operationId ?? 'no operation',
  endpoint: operation ? `${requestMethod(operation.method)} ${operation.path}` : '* any other',
  ...counts,
  violations: [...violations.values()],
  neverSeen: operation ? declaredKeys(operation).filter((key) => !reached.has(key)) : [],
});

/** Makes what collects the passages of a proxy, and sums them up. */
export const observations = (
  { info, file, operations: declared }: ApiDocument,
  { upstream, mode }: Pick<ProxyOptions, 'upstream' | 'mode'>,
) => {
  const from = new Date().toISOString();
  const all = new Map([...declared, undefined].map((one) => [one?.pointer, countsFor(one)]));
  const record = (passage: Passage): void => {
    const counts = all.get(passage.verdict.operation?.pointer);
    if (counts === undefined) return;
    const sight = sightOf(passage);
    const by = passage.answer === undefined ? ' by the proxy' : '';
    counts.requests += 1;
    add(counts.statuses, `${sight.status}${by}`);
    for (const reason of uncheckedOf(passage)) add(counts.unchecked, reason);
    for (const key of reachedKeys(passage)) counts.reached.add(key);
    for (const violation of violationsOf(passage)) note(counts, violation, sight);
  };
  const report = () => {
    const operations = [...all.values()].map(operationReport);
    const sum = (of: (one: (typeof operations)[number]) => number) =>
      operations.reduce((total, one) => total + of(one), 0);
    return {
      document: { title: info.title, version: info.version, file },
      upstream: upstream.href,
      mode,
      from,
      to: new Date().toISOString(),
      requests: sum((one) => one.requests),
      violations: sum((one) =>
        one.violations.reduce((total, { count }) => total + count, one.furtherViolations),
      ),
      operations,
    };
  };
  return { record, report };
};

/** The observations of a proxy. */
export type Observations = ReturnType<typeof observations>;
