/** One operation under test: its requests, and the checks of its answers. */

import fc from 'fast-check';
import { type MediaType, type Operation, requestMethod } from '../../../model/operation';
import { answerChecker, type CheckedAnswer, streamFinder } from '../checks/check-answer';
import type { IsStream, SentRequest } from '../exchange/http-client';
import { type CaseOptions, caseArbitrary } from '../requests/case-arbitrary';
import type { HttpRequest, RequestCase } from '../requests/request-case';
import { requestWriter, type WrittenRequest } from '../requests/write-request';
import type { Intent, Problem } from '../rules';
import { CoverageRecorder, declaredFields, type Field } from './coverage';
import { type Credential, place, placementOf, sufficientCredentials } from './credentials';
import type { Finding, Session } from './session';

/** A request, its answer, and the problems of the answer. */
export interface Outcome {
  readonly sent: SentRequest;
  readonly checked: CheckedAnswer;
  readonly isValid: boolean;
}

/** The way in which a case is sent. */
export interface Sending {
  readonly intent: Intent;
  /** Instead of those that the operation asks for. */
  readonly credentials?: readonly Credential[];
  /** Changes the request after everything else. */
  readonly change?: (request: HttpRequest) => HttpRequest;
}

const none: readonly Credential[] = [];

export class Subject {
  readonly operation: Operation;
  readonly session: Session;
  readonly coverage: CoverageRecorder;
  /** True once a valid request had another answer than 401. */
  letsIn = false;
  readonly write: (given: RequestCase) => WrittenRequest | undefined;
  readonly #isStream: IsStream;
  readonly #check: (sent: SentRequest, intent: Intent) => CheckedAnswer;
  #ways: Credential[][];
  #passedOver = 0;

  constructor(operation: Operation, session: Session) {
    const { tools, options } = session;
    this.operation = operation;
    this.session = session;
    this.coverage = new CoverageRecorder(operation, declaredFields(operation, tools));
    this.write = requestWriter(operation, tools);
    this.#isStream = streamFinder(operation);
    this.#check = answerChecker(operation, tools);
    this.#ways = sufficientCredentials(operation, options.credentials);
  }

  /** The credentials for requests; undefined where none was given for the operation. */
  get credentials(): readonly Credential[] | undefined {
    return this.#ways[0];
  }

  /** Takes the next credentials that were given, where there are others: these are not valid (any more). */
  #rejectCredentials(): boolean {
    if (this.#ways.length < 2) return false;
    this.#ways = this.#ways.slice(1);
    return true;
  }

  /** Takes the next credentials, as long as there are some that were not passed over: these may not do it. */
  passOver(): boolean {
    this.#passedOver += 1;
    if (this.#passedOver >= this.#ways.length) return false;
    this.#ways = [...this.#ways.slice(1), ...this.#ways.slice(0, 1)];
    return true;
  }

  /** The media types of the request body; undefined alone where it has none. */
  get contents(): readonly (MediaType | undefined)[] {
    const content = this.operation.requestBody?.content ?? [];
    return content.length === 0 ? [undefined] : content;
  }

  /** Arbitrary requests; undefined where the schemas give none. */
  cases(options: Omit<CaseOptions, 'tools' | 'depth'>): fc.Arbitrary<RequestCase> | undefined {
    return caseArbitrary(this.operation, { ...options, tools: this.session.tools, depth: 3 });
  }

  /** Gives the reason why no request can be made; undefined where one can. */
  whyNot(): string | undefined {
    const { contents, operation } = this;
    const method = requestMethod(operation.method);
    // The client of node:http writes methods in capitals, and takes CONNECT for a tunnel.
    if (method === 'CONNECT' || method !== method.toUpperCase()) {
      return `skipped: the client cannot send the method ${method}`;
    }
    const canBeMade = contents.some(
      (content) => this.cases({ content, optional: false, examples: true }) !== undefined,
    );
    if (canBeMade) return undefined;
    const what = operation.requestBody === undefined ? 'parameters' : 'body';
    return `skipped: no ${what} can be made, because its schema requires itself or a value that is too long`;
  }

  /** A request with credentials in their places. */
  authorize(request: HttpRequest, credentials: readonly Credential[]): HttpRequest {
    const schemes = this.session.document.securitySchemes;
    const placements = credentials.flatMap(
      ({ scheme, value }) => placementOf(schemes.get(scheme), value) ?? [],
    );
    return place(request, placements);
  }

  /** Sends a case; undefined where it cannot be written, or the run is over. */
  async send(given: RequestCase, sending: Sending): Promise<Outcome | undefined> {
    const written = this.session.isOver ? undefined : this.write(given);
    return written && this.sendWritten(written, sending, given);
  }

  /** Sends what has been written already; with the next credentials where these are refused, and may have ended. */
  async sendWritten(
    written: WrittenRequest,
    sending: Sending,
    given?: RequestCase,
  ): Promise<Outcome> {
    const { request, isValid } = written;
    const { intent, credentials = this.credentials ?? none, change = (one) => one } = sending;
    this.session.options.onRequest();
    const sent = await this.session.options.client.send(
      change(this.authorize(request, credentials)),
      this.#isStream,
    );
    const checked = this.#check(sent, intent);
    if (intent === 'valid' && checked.status !== 401) this.letsIn = true;
    this.coverage.recordAnswer(given, isValid && intent === 'valid', checked);
    const isOwn = sending.credentials === undefined;
    return isOwn && checked.status === 401 && this.#rejectCredentials()
      ? this.sendWritten(written, sending, given)
      : { sent, checked, isValid };
  }

  /** Gives the problems of an answer as findings. */
  findings(
    { sent, checked }: Outcome,
    description: string,
    more: readonly Problem[] = [],
    field?: Field,
  ): Finding[] {
    return [...more, ...checked.problems].map((problem) => ({
      problem,
      operation: this.operation,
      coverage: this.coverage,
      sent: [sent],
      description,
      field,
      statusKey: checked.response?.key,
    }));
  }

  /** Reports the problems of an answer. */
  report(...parts: Parameters<Subject['findings']>): void {
    this.session.reportAll(this.findings(...parts));
  }
}

/** Tells whether an answer is a success. */
export const isSuccess = (outcome: Outcome | undefined): outcome is Outcome => {
  const status = outcome?.checked.status ?? 0;
  return status >= 200 && status < 300;
};

/** Random cases of an arbitrary, the same for the same seed. */
export const someCases = (
  arbitrary: fc.Arbitrary<RequestCase>,
  seed: number,
  numRuns: number,
): RequestCase[] => fc.sample(arbitrary, { seed, numRuns });
