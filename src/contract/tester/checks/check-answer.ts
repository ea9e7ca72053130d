/** Holds an answer to what the document says of its operation, and to what HTTP says of every answer. */

import { ownFuel } from '../../../base/fuel';
import { mediaTypeMatcher, parseMediaType } from '../../../base/media-type';
import { recover } from '../../../base/recover';
import { compileReadParameters, itemsOf, type SchemaContext } from '../../../engine';
import { HttpError } from '../../../http/http-error';
import { isContentless, type Operation, type Response } from '../../../model/operation';
import { headerOf, type IsStream, type SentRequest } from '../../../requests/http-client';
import type { Intent, Problem } from '../rules';
import { type AnswerBody, type CheckableAnswer, readBody } from './read-body';

/** The response that is declared for the status: by itself, by its range, or by default (OAS 3.0.3, Responses Object). */
const responseFor = ({ responses }: Operation, status: number): Response | undefined => {
  const keys = [String(status), `${Math.trunc(status / 100)}XX`, 'default'];
  return keys
    .map((key) => responses.find((response) => response.key.toUpperCase() === key.toUpperCase()))
    .find((response) => response !== undefined);
};

/** Makes the function that finds answers whose bodies may go on for ever: event streams, and contents of items. */
export const streamFinder =
  (operation: Operation): IsStream =>
  (head) => {
    const type = parseMediaType(headerOf(head, 'content-type') ?? '');
    const response = responseFor(operation, head.status);
    const content = type && response && mediaTypeMatcher(response.content)(type);
    return type?.essence === 'text/event-stream' || (content && itemsOf(content)) !== undefined;
  };

/** Tells whether requests may be refused for their credentials. */
export const isProtected = ({ security, loggedInUser }: Operation): boolean =>
  loggedInUser !== undefined || security.some((one) => Object.keys(one).length > 0);

/** The statuses that need no declaration by the intent of the request. */
const statusesByIntent: Readonly<Record<Intent, (operation: Operation) => readonly number[]>> = {
  valid: (operation) => (isProtected(operation) ? [401, 403] : []),
  invalid: ({ responses }) => {
    const isDeclared = responses.some(({ key }) => key === '400' || key === '422');
    return [404, 401, 403, 406, 412, 415, ...(isDeclared ? [] : [400, 422])];
  },
  unauthorized: () => [401, 403, 404],
  protocol: () => [400, 401, 403, 404, 405, 406, 411, 415, 422, 501],
};

/** The headers of requests that ask for statuses, whatever the document says (RFC 9110 sections 13 and 14). */
const askedBy: ReadonlyMap<number, RegExp> = new Map([
  [206, /^range$/i],
  [304, /^if-(?:none-match|modified-since)$/i],
  [412, /^if-(?:match|none-match|unmodified-since)$/i],
  [416, /^range$/i],
]);

export interface CheckedAnswer {
  readonly status: number | undefined;
  /** The declared response that the answer is. */
  readonly response: Response | undefined;
  readonly body: AnswerBody | undefined;
  readonly problems: readonly Problem[];
}

/** A request, its answer, and the problems of the answer. */
export interface CaseOutcome {
  readonly sent: SentRequest;
  readonly checked: CheckedAnswer;
}

/** The outcome with those of its problems that count. */
export const withProblems = (
  { sent, checked }: CaseOutcome,
  counts: (problem: Problem) => boolean,
): CaseOutcome => ({ sent, checked: { ...checked, problems: checked.problems.filter(counts) } });

export const isSuccess = (outcome: CaseOutcome | undefined): outcome is CaseOutcome => {
  const status = outcome?.checked.status ?? 0;
  return status >= 200 && status < 300;
};

/** Tells whether an answer says by its status that the request is not valid. */
export const saysInvalid = ({ checked: { status = 0 } }: CaseOutcome): boolean =>
  [400, 405, 415, 422].includes(status);

const unchecked = (status: number | undefined, ...problems: readonly Problem[]): CheckedAnswer => ({
  status,
  response: undefined,
  body: undefined,
  problems,
});

/** Gives what HTTP says of every answer: of a 405, and of bodies where there may be none. */
const generalProblems = (answer: CheckableAnswer): Problem[] => {
  const { status, body = '' } = answer;
  if (status === 405 && headerOf(answer, 'allow') === undefined) {
    const expected = 'the header Allow with 405';
    return [{ rule: 'allow-missing', expected, seen: 'no such header' }];
  }
  const announced = Number(headerOf(answer, 'content-length') ?? 0);
  const isChunked = headerOf(answer, 'transfer-encoding') !== undefined && status !== 205;
  const isEmpty = body.length === 0 && announced === 0 && !isChunked;
  if (!isContentless(status) || status === 304 || isEmpty) return [];
  const seen = `${Math.max(body.length, announced) || 'some'} bytes`;
  return [{ rule: 'body-not-allowed', expected: `no body with ${status}`, seen }];
};

const headerProblems = (
  answer: CheckableAnswer,
  { headers, key }: Response,
  tools: SchemaContext,
): Problem[] => {
  const texts = Object.fromEntries(
    headers.map(({ name }) => [name.toLowerCase(), headerOf(answer, name.toLowerCase())]),
  );
  const missing = headers.filter(
    ({ name, required }) => required && texts[name.toLowerCase()] === undefined,
  );
  const problems: Problem[] = missing.map(({ name }) => ({
    rule: 'header-missing',
    place: name,
    expected: `the header ${name}, required with ${key}`,
    seen: 'no such header',
  }));
  const present = headers.filter((header) => !missing.includes(header));
  const read = compileReadParameters(present, tools);
  recover(
    () => read({ path: {}, query: '', headers: texts }, ownFuel()),
    HttpError,
    ({ errors }) => {
      for (const { path, message } of errors) {
        const expected = `the header ${path} as declared: it ${message.split(', not ')[0]}`;
        const seen = `${path}: ${texts[path.toLowerCase()]}`;
        problems.push({ rule: 'header-invalid', place: path, expected, seen });
      }
    },
  );
  return problems;
};

/** Tells whether an answer has a part of its content, which no schema describes (RFC 9110 section 14). */
const isPartial = (answer: CheckableAnswer): boolean =>
  answer.status === 206 &&
  (/^bytes\b/i.test(headerOf(answer, 'content-range') ?? '') ||
    /^multipart\/byteranges\b/i.test(headerOf(answer, 'content-type') ?? ''));

/** An answer, or the reason why none came, and the request. */
interface AnsweredRequest {
  readonly request: Pick<SentRequest['request'], 'method' | 'headers'>;
  readonly answer: CheckableAnswer | undefined;
  readonly error?: string | undefined;
}

/**
 * Compiles the check of an operation's answers.
 * @param mayFail true where a 5xx is an answer like others: requests are not those of a test
 */
export const answerChecker =
  (operation: Operation, tools: SchemaContext, mayFail = false) =>
  ({ answer, error = '', request }: AnsweredRequest, intent: Intent): CheckedAnswer => {
    if (answer === undefined) {
      return unchecked(undefined, { rule: 'no-response', expected: 'an answer', seen: error });
    }
    const { status } = answer;
    // 501 says that a method is unknown (RFC 9110 section 15.6.2).
    if (!mayFail && status >= 500 && !(status === 501 && intent === 'protocol')) {
      const seen = `${status} ${answer.statusText}`.trim();
      return unchecked(status, { rule: 'server-error', expected: 'no 5xx', seen });
    }
    const general = generalProblems(answer);
    const response = responseFor(operation, status);
    if (response === undefined) {
      // The specification asks for the known errors of the operation itself, not for those of HTTP (OAS 3.0.3, Responses Object).
      const isTolerated =
        request.headers.some(([name]) => askedBy.get(status)?.test(name)) ||
        // Any server may have too many requests, or too large ones.
        [413, 414, 429, 431].includes(status) ||
        statusesByIntent[intent](operation).includes(status);
      if (isTolerated) return unchecked(status, ...general);
      const keys = operation.responses.map(({ key }) => key).join(', ');
      return unchecked(status, ...general, {
        rule: 'undeclared-status',
        place: String(status),
        expected: `a declared status: ${keys}`,
        seen: String(status),
      });
    }
    const headers = headerProblems(answer, response, tools);
    const isBodiless = request.method === 'HEAD' || isContentless(status) || isPartial(answer);
    const { body, problems } = isBodiless
      ? { body: undefined, problems: [] }
      : readBody(answer, response, tools);
    return { status, response, body, problems: [...general, ...headers, ...problems] };
  };
