/** Requests that break one rule of the document: each has to be refused. */

import fc from 'fast-check';
import type { MediaType } from '../../../engine';
import type { Problem } from '../checks/problem';
import type { HttpRequest, RequestCase } from '../requests/request-case';
import { explore } from '../session/explore';
import type { Finding } from '../session/session';
import type { Outcome, Subject } from '../session/subject';
import type { Workbench } from '../session/workbench';
import { accepting, errorTypes } from './accepting';
import { describeWrong, fieldOf, type WrongField, wrongBodies, wrongParameters } from './fields';

const isRefused = ({ checked: { status = 0 } }: Outcome): boolean => status >= 400;

const acceptedProblem = (place: string, outcome: Outcome): Problem[] => {
  const { status } = outcome.checked;
  if (status === undefined || isRefused(outcome)) return [];
  return [{ rule: 'invalid-accepted', place, expected: 'a refusal (4xx)', seen: String(status) }];
};

/** Needed once for each: what a server says of a wrong field is the same each time. */
const attemptWrong =
  (bench: Workbench, subject: Subject, field: WrongField) =>
  async ([given, accept]: readonly [RequestCase, string | undefined]): Promise<
    Finding[] | undefined
  > => {
    const prepared = await bench.prepare(subject, given, field);
    const written = subject.write(prepared);
    if (written === undefined || written.isValid) return undefined;
    const change = accepting(accept);
    const outcome = await subject.sendWritten(written, { intent: 'invalid', change }, prepared);
    subject.coverage.recordInvalid(fieldOf(field), isRefused(outcome));
    const description = describeWrong(field);
    return subject.findings(
      outcome,
      description,
      acceptedProblem(description, outcome),
      fieldOf(field),
    );
  };

const testWrongField = async (
  bench: Workbench,
  subject: Subject,
  content: MediaType | undefined,
  field: WrongField,
  runs: number,
): Promise<void> => {
  const cases = await bench.shortCases(subject, content, field);
  if (cases === undefined) return;
  const { operationId } = subject.operation;
  await explore(bench.session, {
    label: `wrong ${operationId} ${content?.key} ${describeWrong(field)}`,
    arbitrary: fc.tuple(cases, fc.constantFrom(undefined, ...errorTypes(subject.operation))),
    runs,
    attempt: attemptWrong(bench, subject, field),
  });
};

/** Sends a valid case changed so that the document does not allow it any more. */
const testChanged = async (
  bench: Workbench,
  subject: Subject,
  description: string,
  change: (given: RequestCase) => RequestCase,
  changeRequest: (request: HttpRequest) => HttpRequest = (request) => request,
): Promise<void> => {
  const given = await bench.validCase(subject);
  const written = given && subject.write(change(given));
  if (written === undefined || bench.session.isOver) return;
  const outcome = await subject.sendWritten(
    { ...written, isValid: false },
    { intent: 'invalid', change: changeRequest },
  );
  bench.session.reportAll(
    subject.findings(outcome, description, acceptedProblem(description, outcome)),
  );
};

/** What begins a document of the format and never ends it. */
const malformed: readonly (readonly [RegExp, string])[] = [
  [/json$/, '{"a": '],
  [/xml$/, '<a><b></a>'],
];

const testMalformed = async (
  bench: Workbench,
  subject: Subject,
  content: MediaType,
): Promise<void> => {
  const [, text] = malformed.find(([type]) => type.test(content.key)) ?? [];
  if (text === undefined || content.schema === undefined) return;
  await testChanged(
    bench,
    subject,
    `malformed body of ${content.key}`,
    (given) => given,
    ({ headers, ...request }) => ({
      ...request,
      headers: headers.map(([name, value]) =>
        name.toLowerCase() === 'content-type' ? [name, content.key] : [name, value],
      ),
      body: Buffer.from(text),
    }),
  );
};

const testParameters = async (bench: Workbench, subject: Subject, runs: number): Promise<void> => {
  const { operation, contents } = subject;
  for (const field of wrongParameters(operation, bench.session.tools)) {
    if (!bench.session.isOver) await testWrongField(bench, subject, contents[0], field, runs);
  }
};

const testBody = async (
  bench: Workbench,
  subject: Subject,
  content: MediaType,
  runs: number,
): Promise<void> => {
  for (const field of wrongBodies(subject.operation, content, bench.session.tools)) {
    if (!bench.session.isOver) await testWrongField(bench, subject, content, field, runs);
  }
  await testMalformed(bench, subject, content);
};

/** Breaks every rule of every field, one by one, in every media type. */
export const testWrongCases = async (bench: Workbench, subject: Subject): Promise<void> => {
  const runs = bench.session.times(1, 3, 12);
  const { requestBody } = subject.operation;
  await testParameters(bench, subject, runs);
  for (const content of requestBody?.content ?? []) {
    await testBody(bench, subject, content, content === requestBody?.content[0] ? runs : 1);
  }
  if (requestBody?.required) {
    const without = (given: RequestCase) => ({ ...given, body: undefined });
    await testChanged(bench, subject, 'body missing', without);
  }
};
