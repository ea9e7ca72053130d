/** Says what is wrong with messages, without a value of any: responses are checked as the test of a server checks them. */

import { Readable } from 'node:stream';
import { answerChecker } from '../../contract';
import type { SchemaContext } from '../../engine';
import { asHttpError, type HttpError, reasonsOf } from '../../http/http-error';
import { bodyMemory, readBytes } from '../../http/request';
import type { Operation } from '../../model/operation';
import { checkedBytes } from './check-request';

/** One way in which a message does not fit the document. */
export interface Violation {
  readonly on: 'request' | 'response';
  /** The engine's kind of error, or a rule of the test of a server. */
  readonly rule: string;
  /** The parameter, the header or the JSON Pointer; empty for the whole. */
  readonly place: string;
  /** The demand of the document; no value that was sent. */
  readonly sentence: string;
}

/** The result of checking a message. */
export interface Findings {
  readonly violations: readonly Violation[];
  /** The reason why it, or its body, was not checked. */
  readonly unchecked: string | undefined;
  /** The key of the declared response that a response is. */
  readonly key?: string | undefined;
}

/** Gives what the engine's refusal of a request says; some are refused only because they cannot be checked. */
export const requestFindings = (failure: HttpError | undefined): Findings => {
  if (failure === undefined) return { violations: [], unchecked: undefined };
  const { status, code: rule, message, errors } = failure;
  if (status >= 500 || rule === 'body-too-large') return { violations: [], unchecked: message };
  const [whole = '', ...sentences] = reasonsOf(failure);
  const places = errors.map(({ in: part, path }) => `${part} ${path}`);
  const violationAt = (sentence: string, at: number): Violation => {
    return { on: 'request', rule, place: places[at] ?? '', sentence };
  };
  const found = sentences.length === 0 ? [whole] : sentences;
  return { violations: found.map(violationAt), unchecked: undefined };
};

/** A response of the upstream. */
interface ReceivedResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The Content-Encoding. */
  readonly coding: string | undefined;
  /** Undefined where it is not, or not yet, to be checked. */
  readonly body: Uint8Array | undefined;
}

/** Takes the Content-Encoding off a body. Resolves to the reason where that cannot be done. */
const decoded = async ({
  coding,
  body,
}: ReceivedResponse): Promise<Uint8Array | string | undefined> => {
  if (coding === undefined || body === undefined || body.length === 0) return body;
  const headers = { 'content-encoding': coding };
  const client = () => ({ address: '', secure: false });
  const request = { method: 'POST', target: '/', headers, body: Readable.from([body]), client };
  const bounds = { limit: checkedBytes.text, memory: bodyMemory(Number.POSITIVE_INFINITY) };
  return readBytes(request, bounds).catch((error: unknown) => asHttpError(error).message);
};

/** Checks the response to a request of an operation, which was refused with `failure`. */
export const checkResponse = async (
  operation: Operation,
  { method, failure }: { readonly method: string; readonly failure: HttpError | undefined },
  received: ReceivedResponse,
  tools: SchemaContext,
): Promise<Findings> => {
  const { status, headers } = received;
  const plain = await decoded(received);
  const [body, unchecked] = typeof plain === 'string' ? [undefined, plain] : [plain, undefined];
  const check = answerChecker(operation, tools, true);
  const answer = { status, statusText: '', headers, body };
  // Refusals of a wrong request need not be declared.
  const isUnauthorized = failure?.status === 401 || failure?.status === 403;
  const wrongIntent = isUnauthorized ? 'unauthorized' : 'invalid';
  const intent = failure === undefined ? 'valid' : wrongIntent;
  const { response, problems } = check({ answer, request: { method } }, intent);
  // Rules of which the observation shows a value.
  const showingValues: readonly string[] = ['body-invalid', 'body-malformed', 'header-invalid'];
  const violations = problems
    // 304 answers a condition that the client has set, whatever the document says (RFC 9110 section 13).
    .filter(({ rule }) => !(status === 304 && rule === 'undeclared-status'))
    .map(({ rule, place = '', expected, seen }): Violation => {
      const observed = showingValues.includes(rule) ? '' : `; seen: ${seen}`;
      // All items of a list are one place.
      const wanted = expected.replaceAll(/\/\d+(?=[/\s]|$)/g, '/*');
      return { on: 'response', rule, place, sentence: `Expected ${wanted}${observed}` };
    });
  return { violations, unchecked, key: response?.key };
};
