/** Compares responses: which statuses may come, and with what. */

import type { DiffRuleId } from '../rules/rules';
import type { SourceObject, SourceObjects } from '../values/source-objects';
import { compareContent } from './compare-content';
import { compareHeaders } from './compare-headers';
import { type MessageComparison, spotOf } from './message-comparison';

type Responses = ReadonlyMap<string, SourceObject>;

const responsesOf = ({ value }: SourceObject, source: SourceObjects): Responses =>
  new Map(
    source
      .entries(value['responses'])
      .filter(([key]) => !key.startsWith('x-'))
      .map(([key, one]) => [key.toUpperCase(), one]),
  );

/** What is declared for a status or a range of them: its own entry, its range's, or the default (OAS 3.0.3, Responses Object). */
const responseFor = (key: string, responses: Responses): SourceObject | undefined =>
  responses.get(key) ?? responses.get(`${key.slice(0, 1)}XX`) ?? responses.get('DEFAULT');

/** Callers act on success and redirection; of a failure its class tells them enough (RFC 9110 section 15). */
const isSuccess = (key: string): boolean => /^[123]/.test(key);

/** Whether a status of success of the old operation can still come. */
const isSuccessLeft = (olds: Responses, news: Responses): boolean => {
  const successes = [...olds.keys()].filter((key) => key.startsWith('2'));
  return successes.length === 0 || successes.some((key) => responseFor(key, news) !== undefined);
};

const compareResponse = (
  comparison: MessageComparison,
  old: SourceObject,
  now: SourceObject,
): void => {
  compareHeaders(comparison, [old, now], comparison.received);
  compareContent(comparison, [old, now], comparison.received);
};

const removedRule = (key: string, isLeft: boolean): DiffRuleId => {
  if (!isSuccess(key)) return 'error-status-removed';
  return isLeft || !key.startsWith('2') ? 'success-status-removed' : 'success-replaced';
};

/** Compares the responses of two operations. */
export const compareResponses = (
  comparison: MessageComparison,
  oldOperation: SourceObject,
  newOperation: SourceObject,
): void => {
  const olds = responsesOf(oldOperation, comparison.old);
  const news = responsesOf(newOperation, comparison.new);
  const { report, received } = comparison;
  const isLeft = isSuccessLeft(olds, news);
  const added = (key: string, now: SourceObject): void => {
    const rule = isSuccess(key) ? 'success-status-added' : 'error-status-added';
    report(rule, received, undefined, spotOf(now, key));
  };
  for (const key of new Set([...olds.keys(), ...news.keys()])) {
    const [old, now] = [responseFor(key, olds), responseFor(key, news)];
    if (old && now) compareResponse(comparison, old, now);
    else if (now) added(key, now);
    else if (old) report(removedRule(key, isLeft), received, spotOf(old, key), undefined);
  }
};
