/** Headers to which HTTP gives a meaning, where the document declares them: conditions on ETags, and keys of requests. */

import { creationOf, itemPathsOf } from '../../../document/resources/item-paths';
import { headerParameter, type Parameter } from '../../../model/operation';
import { headerOf } from '../../../requests/http-client';
import { type OutgoingRequest, type RequestCase, withHeader } from '../../../requests/request-case';
import { type CaseOutcome, isSuccess } from '../checks/check-answer';
import { type Problem, shown } from '../rules';
import { freshKey, withFreshKey, withHeaderValue } from '../session/request-headers';
import { createdIdentity } from '../session/resources';
import type { Subject } from '../session/subject';
import { unknownTag } from '../values/case-arbitrary';

const tagOf = ({ sent: { answer } }: CaseOutcome): string | undefined =>
  answer && headerOf(answer, 'etag');

const declares = ({ operation }: Subject, ...keys: readonly string[]): boolean =>
  operation.responses.some(({ key }) => keys.includes(key.toUpperCase()));

/** Asks again for what has been read, where the document says that it may not have changed; the header needs no parameter. */
const testIfNoneMatch = async (subject: Subject): Promise<void> => {
  const isDeclared = subject.operation.method === 'get' && declares(subject, '304', '3XX');
  const input = isDeclared ? await subject.validCase() : undefined;
  const first = input && (await subject.sendPrepared(input));
  const tag = isSuccess(first) ? tagOf(first) : undefined;
  if (input === undefined || tag === undefined) return;
  const place = 'If-None-Match';
  const change = (request: OutgoingRequest) => withHeader(request, place, tag);
  const again = await subject.sendPrepared(input, { change });
  if (again === undefined) return;
  const isIgnored = isSuccess(again) && tagOf(again) === tag;
  const expected = '304, as the ETag is still that one';
  const seen = String(again.checked.status);
  const problem: Problem = { rule: 'condition-ignored', place, expected, seen };
  subject.report(again, 'If-None-Match with the ETag of the answer', isIgnored ? [problem] : []);
};

/** Sends a condition that does not hold for what is there: it is not touched. */
const testUnmet = async (
  subject: Subject,
  condition: Parameter,
  input: RequestCase,
  value: string,
): Promise<void> => {
  const place = condition.name;
  const changed = withHeaderValue(input, condition, value);
  const outcome = await subject.send(changed, { intent: 'invalid' });
  if (outcome === undefined) return;
  const expected = '412, as the condition does not hold for what is there';
  const seen = String(outcome.checked.status);
  const problem: Problem = { rule: 'condition-ignored', place, expected, seen };
  subject.report(outcome, `${place}: ${value}`, isSuccess(outcome) ? [problem] : []);
};

/** Writes only if nothing is there, or not what is there: `*` and its ETag (RFC 9110 section 13.1.2). */
const testWriteIfNone = async (subject: Subject): Promise<void> => {
  const condition = headerParameter(subject.operation, 'if-none-match');
  const isWrite = ['put', 'patch', 'delete'].includes(subject.operation.method);
  if (condition === undefined || !isWrite || !declares(subject, '412', '4XX')) return;
  const input = await subject.validCase();
  const target = input && (await subject.resources.target(input));
  if (input === undefined || target === undefined) return;
  for (const value of ['*', tagOf(target)]) {
    if (value !== undefined) await testUnmet(subject, condition, input, value);
  }
};

/** The number of different ETags of the same bytes that are a mistake. */
const MOST_TAGS = 4;

/** Reads the same again and again: as long as its bytes stay, so does its ETag. */
const testSteadyTag = async (subject: Subject): Promise<void> => {
  const input = subject.operation.method === 'get' ? await subject.validCase() : undefined;
  const tags = new Set<string>();
  let first: CaseOutcome | undefined;
  while (input !== undefined && tags.size < MOST_TAGS) {
    const read = await subject.sendPrepared(input);
    const tag = isSuccess(read) ? tagOf(read) : undefined;
    if (read === undefined || tag === undefined || tags.has(tag)) return;
    first ??= read;
    if (first.sent.answer?.body.equals(read.sent.answer?.body ?? Buffer.of()) !== true) return;
    tags.add(tag);
  }
  if (first === undefined) return;
  const [one = '', other = ''] = tags;
  const expected = `the ETag ${one} again with the same bytes`;
  const problem: Problem = { rule: 'etag-wrong', place: 'ETag', expected, seen: other };
  subject.report(first, `the same read ${MOST_TAGS} times`, [problem]);
};

const testIfMatch = async (subject: Subject): Promise<void> => {
  const { operation, session } = subject;
  const condition = headerParameter(operation, 'if-match');
  const input = condition && (await subject.validCase());
  const tag = input && (await subject.resources.entityTag(input));
  if (condition === undefined || input === undefined || tag === undefined) return;
  if (declares(subject, '428')) {
    const without = withHeaderValue(input, condition, undefined);
    const outcome = await subject.send(without, { intent: 'invalid' });
    if (outcome !== undefined) subject.report(outcome, 'no If-Match');
  }
  await testUnmet(subject, condition, input, unknownTag);
  // With the ETag that is read the condition holds. Weak ones never match (RFC 9110 section 13.1.1).
  const fresh = withFreshKey(input, session.tools);
  const read = await subject.resources.entityTag(fresh);
  if (read === undefined || read.startsWith('W/')) return;
  const outcome = await subject.sendPrepared(withHeaderValue(fresh, condition, read));
  if (outcome === undefined) return;
  // It may have changed by itself.
  const isRefused =
    outcome.checked.status === 412 && (await subject.resources.entityTag(fresh)) === read;
  const expected = 'a success, as the ETag is that of what is there';
  const place = condition.name;
  const problem: Problem = { rule: 'valid-refused', place, expected, seen: '412' };
  subject.report(outcome, 'If-Match with the ETag that was read', isRefused ? [problem] : []);
};

/** Finds the identity of what an answer says that it has created. */
const identityOf = ({ operation, session }: Subject, outcome: CaseOutcome, input: RequestCase) => {
  const { document, tools } = session;
  for (const itemPath of document.operations.flatMap(({ path }) => itemPathsOf(path))) {
    const creation = creationOf(document, itemPath);
    if (creation?.operation !== operation) continue;
    return createdIdentity(creation, itemPath.parameter, { outcome, input }, tools);
  }
  return undefined;
};

/** Sends the same request with the same key again, as a client does that has not seen the answer. */
const testIdempotency = async (subject: Subject): Promise<void> => {
  const parameter = headerParameter(subject.operation, 'idempotency-key');
  const key = parameter && freshKey(parameter, subject.session.tools);
  const valid = key && (await subject.validCase());
  if (!parameter || !key || !valid) return;
  const input = withHeaderValue(valid, parameter, key);
  const first = await subject.sendPrepared(input);
  const again = isSuccess(first) ? await subject.sendPrepared(input) : undefined;
  if (first === undefined || again === undefined) return;
  const created = identityOf(subject, first, input);
  const other = isSuccess(again) ? identityOf(subject, again, input) : undefined;
  const isAnother =
    created !== undefined && other !== undefined && String(created) !== String(other);
  const [expected, seen] = [`the resource ${shown(created)} again`, `another one, ${shown(other)}`];
  const problem: Problem = { rule: 'idempotency-ignored', place: parameter.name, expected, seen };
  const description = 'the same request again with the same Idempotency-Key';
  const findings = subject.findings(again, description, isAnother ? [problem] : []);
  const sent = [first.sent, again.sent];
  subject.session.reportAll(findings.map((finding) => ({ ...finding, sent })));
};

/** Tries the headers with the values that have a meaning. */
export const testHeaders = async (subject: Subject): Promise<void> => {
  const tests = [testIfNoneMatch, testSteadyTag, testIfMatch, testWriteIfNone, testIdempotency];
  for (const test of tests) {
    if (!subject.session.isOver) await test(subject);
  }
};
