/** Compares responses: which statuses may come, and with what. */

import { pointerTo } from '../../../base/json-pointer';
import { mayHaveContent, type Operation, type Response } from '../../../model/operation';
import { bothOf, type Spot } from '../rules/finding';
import { compareContent } from './compare-bodies';
import { compareHeaders } from './compare-parameter';
import {
  isBroken,
  type MessageComparison,
  type SideComparison,
  spotOf,
} from './message-comparison';

type Responses = ReadonlyMap<string, Response>;

/** Responses by key; one that is not declared, but implied, stands nowhere. */
const responsesOf = ({ responses }: Operation): Responses =>
  new Map(
    responses
      .filter(({ pointer }) => pointer !== '')
      .map((response) => [response.key.toUpperCase(), response]),
  );

/** The key that stands for a status or a range of them: its own, its range's, or the default (OAS 3.0.3, Responses Object). */
const keyFor = (key: string, responses: Responses): string | undefined =>
  [key, `${key.slice(0, 1)}XX`, 'DEFAULT'].find((candidate) => responses.has(candidate));

/** A response as it is declared for a status. */
interface Declared {
  readonly response: Response;
  /** Its key: the status, a range of them or the default. */
  readonly key: string;
  /** The place of the response among those of its operation. */
  readonly spot: Spot;
}

const declaredFor = (key: string, responses: Responses, operation: Operation) => {
  const found = keyFor(key, responses);
  const response = responses.get(found ?? '');
  if (found === undefined || response === undefined) return undefined;
  const name = found === 'DEFAULT' ? 'default' : found;
  const pointer = pointerTo(`${operation.pointer}/responses`, name);
  return { response, key: name, spot: { pointer } };
};

const compareResponse = (
  comparison: SideComparison,
  old: Declared,
  now: Declared,
  mayHaveBody: boolean,
): void => {
  const isMoved = old.key !== now.key;
  // The old response still stands for other statuses: the new one is the place of what it lacks.
  const place = isMoved ? now.spot : undefined;
  const placed: SideComparison = {
    ...comparison,
    report: (rule, before, after) => comparison.report(rule, before, after ?? place),
  };
  compareHeaders(placed, old.response.headers, now.response.headers);
  if (!mayHaveBody) return;
  const [{ content: oldContent }, { content: newContent }] = [old.response, now.response];
  if (oldContent.length > 0 && newContent.length === 0) {
    const promised = { text: `declared for ${old.key}`, json: JSON.stringify(old.key) };
    const spot = place ?? spotOf(now.response);
    comparison.report('response-body-removed', { ...old.spot, ...promised }, spot);
  } else if (comparison.side === 'request' && oldContent.length === 0 && newContent.length > 0) {
    // Receivers of a webhook must answer with it from now on.
    placed.report('response-body-added', undefined, now.spot);
  } else compareContent(placed, oldContent, newContent);
};

/** Compares the responses of two operations. */
export const compareResponses = (
  { received }: MessageComparison,
  oldOperation: Operation,
  newOperation: Operation,
): void => {
  const [olds, news] = [responsesOf(oldOperation), responsesOf(newOperation)];
  const isUnknown = isBroken(oldOperation, 'responses') || isBroken(newOperation, 'responses');
  const successes = [...olds.keys()].filter((key) => key.startsWith('2'));
  const isReplaced =
    successes.length > 0 && successes.every((key) => keyFor(key, news) === undefined);
  for (const key of new Set([...olds.keys(), ...news.keys()])) {
    // Where one of the responses is unknown, those are compared that both operations have.
    if (isUnknown && !(olds.has(key) && news.has(key))) continue;
    const old = declaredFor(key, olds, oldOperation);
    const now = declaredFor(key, news, newOperation);
    if (old && now) {
      compareResponse(received, old, now, mayHaveContent(newOperation.method, { key }));
      continue;
    }
    const spot = (declared: Declared | undefined) => declared && spotOf(declared.response, key);
    // Callers act on success and redirection; of a failure its class tells them enough (RFC 9110 section 15).
    const kind = /^[123]/.test(key) ? 'success-status' : 'error-status';
    const removed =
      isReplaced && key.startsWith('2') ? 'success-replaced' : (`${kind}-removed` as const);
    bothOf(received, spot(old), spot(now), { added: `${kind}-added`, removed });
  }
};
