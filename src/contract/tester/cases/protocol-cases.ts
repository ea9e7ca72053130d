/** The demands of HTTP on a server: undeclared media types and methods, HEAD; and readers of events that come back. */

import { isPlainObject } from '../../../base/plain-object';
import { filledTemplate } from '../../../document/read/templates';
import { requestMethod } from '../../../model/operation';
import { headerOf } from '../../../requests/http-client';
import {
  accepting,
  type OutgoingRequest,
  successTypes,
  withHeader,
} from '../../../requests/request-case';
import { type CaseOutcome, isSuccess, withProblems } from '../checks/check-answer';
import type { Problem } from '../rules';
import type { Subject } from '../session/subject';

const eventStream = 'text/event-stream';
const unknownType = 'application/x-contract-test';

const testMediaType = async (subject: Subject): Promise<void> => {
  const input = await subject.validCase();
  const { requestBody } = subject.operation;
  const isOpen = requestBody?.content.some(({ key }) => key === '*/*' || key === 'application/*');
  if (input?.body === undefined || isOpen) return;
  const change = (request: OutgoingRequest) => withHeader(request, 'Content-Type', unknownType);
  const outcome = await subject.send(input, { intent: 'protocol', change });
  if (outcome === undefined) return;
  // A body that need not be there may be ignored.
  const isAccepted = isSuccess(outcome) && requestBody?.required === true;
  const [expected, seen] = ['415, or another refusal', String(outcome.checked.status)];
  const accepted: Problem = { rule: 'undeclared-media-type-accepted', expected, seen };
  subject.report(outcome, `body of ${unknownType}`, isAccepted ? [accepted] : []);
};

const testAccept = async (subject: Subject): Promise<void> => {
  const outcome = await subject.sendValid({ intent: 'protocol', change: accepting(unknownType) });
  if (outcome !== undefined) subject.report(outcome, `Accept: ${unknownType}`);
};

const methodProblems = (
  { sent: { answer }, checked: { status = 0 } }: CaseOutcome,
  declared: readonly string[],
): Problem[] => {
  if (answer === undefined) return [];
  if (status >= 200 && status < 300) {
    const expected = '405, or another refusal';
    return [{ rule: 'undeclared-method-accepted', expected, seen: String(status) }];
  }
  if (status !== 405) return [];
  const allow = (headerOf(answer, 'allow') ?? '').toUpperCase().split(/\s*,\s*/);
  const missing = declared.find((method) => !allow.includes(method.toUpperCase()));
  if (missing === undefined || headerOf(answer, 'allow') === undefined) return [];
  const expected = `${missing} in the header Allow`;
  return [{ rule: 'allow-incomplete', expected, seen: allow.join(', ') }];
};

/** Answers of other methods are no answers of the operation: of the checks, those of every answer hold. */
const isGeneral = ({ rule }: Problem): boolean =>
  ['server-error', 'no-response', 'allow-missing', 'body-not-allowed'].includes(rule);

const askMethod = async (subject: Subject, method: string): Promise<CaseOutcome | undefined> => {
  const outcome = await subject.sendValid({
    intent: 'protocol',
    change: ({ headers, ...request }) => ({
      ...request,
      method,
      headers: headers.filter(([name]) => name.toLowerCase() !== 'content-type'),
      body: undefined,
    }),
  });
  return outcome && withProblems(outcome, isGeneral);
};

const testMethods = async (subject: Subject): Promise<void> => {
  const { operations } = subject.session.document;
  const { path, operationId } = subject.operation;
  const here = operations.filter((operation) => operation.path === path);
  // Once for each path.
  if (here[0]?.operationId !== operationId) return;
  const input = await subject.validCase();
  const target = input && subject.write(input)?.request.target;
  if (target === undefined) return;
  const steps = (target.split('?')[0] ?? '').split('/');
  const matching = operations.filter((one) => {
    const others = one.path.split('/').map((step) => filledTemplate(step, () => '{}'));
    return (
      steps.length === others.length &&
      others.every((step, index) => step.includes('{') || step === steps[index])
    );
  });
  const declared = here.map(({ method }) => requestMethod(method));
  for (const method of ['get', 'put', 'post', 'delete', 'patch'] as const) {
    if (matching.some((one) => one.method === method) || subject.session.isOver) continue;
    const outcome = await askMethod(subject, requestMethod(method));
    if (outcome === undefined) return;
    const problems = methodProblems(outcome, declared);
    subject.report(outcome, `the undeclared method ${requestMethod(method)}`, problems);
  }
};

const testHead = async (subject: Subject): Promise<void> => {
  const { method, path } = subject.operation;
  const { operations } = subject.session.document;
  const isDeclared = operations.some((one) => one.path === path && one.method === 'head');
  if (method !== 'get' || isDeclared) return;
  const input = await subject.validCase();
  if (input === undefined) return;
  const byGet = await subject.sendPrepared(input);
  const change = (request: OutgoingRequest) => ({ ...request, method: 'HEAD' });
  const byHead = await subject.send(input, { intent: 'protocol', change });
  if (!isSuccess(byGet) || byHead === undefined) return;
  const { status = 0 } = byHead.checked;
  // By the others a server says that HEAD is not supported.
  const isAlike = [byGet.checked.status, 404, 405, 501].includes(status);
  const expected = `${byGet.checked.status}, as GET answers, or 405`;
  const differs: Problem = { rule: 'head-differs', expected, seen: String(status) };
  const { sent, checked } = byHead;
  // Those that the document requires; others may be left out where only the content tells their value.
  const headers = checked.problems
    .filter(({ rule }) => rule === 'header-missing')
    .map((problem): Problem => ({ ...problem, rule: 'head-differs' }));
  const [type, other] = [byGet.sent.answer, sent.answer].map(
    (answer) => answer && headerOf(answer, 'content-type'),
  );
  if (isSuccess(byHead) && other !== undefined && type !== other) {
    headers.push({ rule: 'head-differs', place: 'Content-Type', expected: `${type}`, seen: other });
  }
  const problems = isAlike ? headers : [differs];
  subject.report(withProblems(byHead, isGeneral), 'HEAD', problems);
};

/** A reader of events comes back with the last id that it has seen (HTML Standard, section 9.2.4). */
const testLastEvent = async (subject: Subject): Promise<void> => {
  if (!successTypes(subject.operation).some((type) => type.startsWith(eventStream))) return;
  const input = await subject.validCase();
  const accept = accepting(eventStream);
  const first = input && (await subject.sendPrepared(input, { change: accept }));
  const events = first?.checked.body?.value;
  // The last one with an id that a header can carry.
  const ids = Array.isArray(events) ? events.filter(isPlainObject).map(({ id }) => id ?? '') : [];
  const id = ids.findLast((one) => /^[!-~]+$/.test(String(one)));
  if (input === undefined || id === undefined) return;
  const place = 'Last-Event-ID';
  const change = (request: OutgoingRequest) => withHeader(accept(request), place, String(id));
  const outcome = await subject.sendPrepared(input, { change });
  if (outcome === undefined) return;
  const { status = 0 } = outcome.checked;
  const expected = 'a success, as without the id of an event';
  const refused: Problem = { rule: 'valid-refused', place, expected, seen: String(status) };
  subject.report(outcome, place, status < 400 ? [] : [refused]);
};

/** Asks in ways that the document does not have. */
export const testProtocol = async (subject: Subject): Promise<void> => {
  for (const test of [testMediaType, testAccept, testMethods, testHead, testLastEvent]) {
    if (!subject.session.isOver) await test(subject);
  }
};
