/** Valid requests: every answer must be one that the document declares, and in the media type that was asked for. */

import fc from 'fast-check';
import { itemsOf } from '../../../engine';
import type { MediaType } from '../../../model/operation';
import { accepting, type RequestCase, successTypes } from '../../../requests/request-case';
import { type CaseOutcome, isSuccess } from '../checks/check-answer';
import type { Problem } from '../rules';
import { explore } from '../session/session';
import type { Subject } from '../session/subject';

/** RFC 9110 lets a server ignore `Accept`; a document that declares several media types is about choosing. */
const acceptProblems = ({ checked }: CaseOutcome, accept: string | undefined): Problem[] => {
  const { body, response } = checked;
  const isOffered = response?.content.some(({ key }) => key === accept);
  if (accept === undefined || body === undefined || !isOffered) return [];
  if (body.mediaType === accept.split(';', 1)[0]?.trim().toLowerCase()) return [];
  return [{ rule: 'accept-ignored', expected: accept, seen: body.mediaType }];
};

const attemptValid = async (subject: Subject, input: RequestCase, accept?: string) => {
  const prepared = await subject.prepare(input);
  if (!subject.write(prepared)?.isValid) return undefined;
  const outcome = await subject.sendPrepared(prepared, { change: accepting(accept) });
  if (outcome === undefined) return undefined;
  const more = isSuccess(outcome) ? acceptProblems(outcome, accept) : [];
  const type = prepared.body?.mediaType;
  const words = ['valid request', type && `body of ${type}`, accept && `Accept: ${accept}`];
  return subject.findings(outcome, words.filter(Boolean).join(', '), more);
};

const exploreContent = async (
  subject: Subject,
  content: MediaType | undefined,
  examples: boolean,
): Promise<void> => {
  const cases = subject.cases({ content, optional: true, examples });
  if (cases === undefined) return;
  const accepts = [undefined, ...successTypes(subject.operation)];
  const { operationId } = subject.operation;
  await explore(subject.session, {
    label: `valid ${operationId} ${content?.key} ${examples}`,
    arbitrary: fc.tuple(cases, fc.constantFrom(...accepts)),
    runs: examples ? accepts.length : subject.session.times(4, 20, 150),
    attempt: ([input, accept]) => attemptValid(subject, input, accept),
  });
};

/** Sends bodies of no item, of few and of many. */
const testItemCounts = async (subject: Subject, content: MediaType): Promise<void> => {
  const itemCounts = [0, 1, 2, 100];
  const cases = itemsOf(content) && subject.cases({ content, optional: true, examples: false });
  const samples = subject.samples(cases, Math.max(...itemCounts), 'counts', content.key);
  const items = samples.flatMap(({ body }) => (Array.isArray(body?.value) ? body.value : []));
  for (const [at, input] of samples.slice(0, itemCounts.length).entries()) {
    const body = input.body && { ...input.body, value: items.slice(0, itemCounts[at]) };
    const findings = await attemptValid(subject, { ...input, body });
    subject.session.reportAll(findings ?? []);
  }
};

/** Sends valid requests of each media type, random ones and the document's examples. */
export const testValidCases = async (subject: Subject): Promise<void> => {
  const { examples } = await subject.base();
  for (const content of subject.contents) {
    await exploreContent(subject, content, false);
    if (examples) await exploreContent(subject, content, true);
    if (content !== undefined) await testItemCounts(subject, content);
  }
  for (const accept of successTypes(subject.operation)) {
    const input = await subject.validCase();
    const findings = input && (await attemptValid(subject, input, accept));
    subject.session.reportAll(findings ?? []);
  }
};
