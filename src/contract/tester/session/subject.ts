/** One operation under test: its requests, what makes them succeed, and the checks of their answers. */

import fc from 'fast-check';
import { type MediaType, type Operation, requestMethod } from '../../../model/operation';
import {
  type Credential,
  place,
  placementOf,
  sufficientCredentials,
} from '../../../requests/credentials';
import type { IsStream, SentRequest } from '../../../requests/http-client';
import type { OutgoingRequest, RequestCase } from '../../../requests/request-case';
import { requestWriter, type WrittenRequest } from '../../../requests/write-request';
import {
  answerChecker,
  type CaseOutcome,
  type CheckedAnswer,
  isSuccess,
  streamFinder,
} from '../checks/check-answer';
import type { Intent, Problem } from '../rules';
import { type CaseOptions, caseArbitrary, type FieldReplacement } from '../values/case-arbitrary';
import { CoverageRecorder, declaredFields } from './coverage';
import type { KnownResources, PathValues } from './resources';
import type { Session, TestFinding } from './session';

/** The way in which a case is sent. */
export interface Sending {
  readonly intent: Intent;
  /** Instead of those that the operation asks for. */
  readonly credentials?: readonly Credential[];
  /** Changes the request after everything else. */
  readonly change?: (request: OutgoingRequest) => OutgoingRequest;
}

/** A way to make requests that succeed. */
interface RequestBase {
  /** With the document's examples. */
  readonly examples: boolean;
  /** With resources that are there. */
  readonly lookUp: boolean;
  /** Otherwise the path parameters with which a request has succeeded. */
  readonly path?: PathValues;
}

export class Subject {
  readonly operation: Operation;
  readonly session: Session;
  readonly resources: KnownResources;
  readonly coverage: CoverageRecorder;
  /** True once a valid request had another answer than 401. */
  letsIn = false;
  readonly write: (input: RequestCase) => WrittenRequest | undefined;
  readonly #isStream: IsStream;
  readonly #check: (sent: SentRequest, intent: Intent) => CheckedAnswer;
  #ways: Credential[][];
  #passedOver = 0;
  #base: RequestBase | undefined;
  #shortest: fc.Arbitrary<RequestCase> | undefined;

  constructor(operation: Operation, session: Session, resources: KnownResources) {
    const { tools, options } = session;
    this.operation = operation;
    this.session = session;
    this.resources = resources;
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

  /** The media types of the request body; undefined alone where it has none. */
  get contents(): readonly (MediaType | undefined)[] {
    const content = this.operation.requestBody?.content ?? [];
    return content.length === 0 ? [undefined] : content;
  }

  /** Arbitrary requests; undefined where the schemas give none. */
  cases(options: Omit<CaseOptions, 'tools'>): fc.Arbitrary<RequestCase> | undefined {
    return caseArbitrary(this.operation, { ...options, tools: this.session.tools });
  }

  /** Makes some random cases, the same for the same seed and label. */
  samples(
    cases: fc.Arbitrary<RequestCase> | undefined,
    count: number,
    label: string,
    ...more: readonly (string | number)[]
  ): RequestCase[] {
    const seed = this.session.seedOf(label, this.operation.operationId, ...more);
    return cases ? fc.sample(cases, { seed, numRuns: count }) : [];
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

  /** Sends a case; undefined where it cannot be written, or the run is over. */
  async send(input: RequestCase, sending: Sending): Promise<CaseOutcome | undefined> {
    const written = this.session.isOver ? undefined : this.write(input);
    return written && this.sendWritten(written, sending, input);
  }

  /** Sends what has been written already; with the next credentials where these are refused, and may have ended. */
  async sendWritten(
    written: WrittenRequest,
    sending: Sending,
    input?: RequestCase,
  ): Promise<CaseOutcome> {
    const { request, isValid } = written;
    const { intent, credentials = this.credentials ?? [], change = (one) => one } = sending;
    const { options, document } = this.session;
    const placements = credentials.flatMap(
      ({ scheme, value }) => placementOf(document.securitySchemes.get(scheme), value) ?? [],
    );
    options.onRequest();
    const sent = await options.client.send(change(place(request, placements)), this.#isStream);
    const checked = this.#check(sent, intent);
    if (intent === 'valid' && checked.status !== 401) this.letsIn = true;
    this.coverage.recordAnswer(input, isValid && intent === 'valid', checked);
    const mayChange = sending.credentials === undefined && this.#ways.length > 1;
    if (checked.status !== 401 || !mayChange) return { sent, checked };
    this.#ways = this.#ways.slice(1);
    return this.sendWritten(written, sending, input);
  }

  /** Sends a valid case that has been prepared; what turns out not to be there is forgotten. */
  async sendPrepared(input: RequestCase, sending: Partial<Sending> = {}) {
    const outcome = await this.send(input, { intent: 'valid', ...sending });
    const status = outcome?.checked.status;
    if (status === 404 || status === 410) this.resources.forget(this.operation.path);
    return outcome;
  }

  /** Makes a valid case and sends it; undefined where none can be made. */
  async sendValid(sending: Sending): Promise<CaseOutcome | undefined> {
    const input = await this.validCase();
    return input && this.send(input, sending);
  }

  /** Looks for what makes requests succeed; remembered. */
  async base(): Promise<RequestBase> {
    if (this.#base !== undefined) return this.#base;
    // Needed at once where making a resource leads back here.
    this.#base = { examples: false, lookUp: true };
    // The best first.
    const bases: readonly RequestBase[] = [
      this.#base,
      { examples: true, lookUp: true },
      { examples: true, lookUp: false },
      { examples: false, lookUp: false },
    ];
    // Requests that are made in each way before the next one is tried.
    const tries = 4;
    for (const base of bases) {
      const { examples, lookUp } = base;
      const cases = this.cases({ content: this.contents[0], optional: false, examples });
      for (const input of this.samples(cases, tries, 'base')) {
        const prepared = await this.resources.pin(input, undefined, lookUp);
        if (!isSuccess(await this.#sendAuthorized(prepared))) continue;
        this.#base = lookUp ? base : { ...base, path: prepared.parameters.path };
        this.#shortest = undefined;
        return this.#base;
      }
    }
    return this.#base;
  }

  /** Tries one credential after the other while they may not do this. */
  async #sendAuthorized(input: RequestCase): Promise<CaseOutcome | undefined> {
    const outcome = await this.sendPrepared(input);
    if (outcome?.checked.status !== 403) return outcome;
    this.#passedOver += 1;
    if (this.#passedOver >= this.#ways.length) return outcome;
    this.#ways = [...this.#ways.slice(1), ...this.#ways.slice(0, 1)];
    return this.#sendAuthorized(input);
  }

  /** The case as it has to be to succeed: with the base's path parameters and identities. */
  async prepare(input: RequestCase, replaced?: Pick<FieldReplacement, 'in' | 'name' | 'path'>) {
    const { lookUp, path } = await this.base();
    const name = replaced?.in === 'body' ? replaced.path[0] : replaced?.name;
    return this.resources.pin(input, replaced && `${replaced.in} ${name ?? ''}`, lookUp, path);
  }

  /** Requests that are as short as a valid request can be, with one place replaced. */
  async shortCases(content: MediaType | undefined, replacement?: FieldReplacement) {
    const { examples } = await this.base();
    return this.cases({ content, optional: false, examples, replacement });
  }

  /** Short requests with the values of a place that are next to its limits. */
  async nearCases(content: MediaType | undefined, { near = [], ...field }: FieldReplacement) {
    const cases: RequestCase[] = [];
    const labels = [content?.key ?? '', field.name, ...field.path];
    for (const [at, value] of near.entries()) {
      const short = await this.shortCases(content, { ...field, value });
      cases.push(...this.samples(short, 1, 'near', ...labels, at));
    }
    return cases;
  }

  /** One valid case that has been prepared; another at each call. */
  async validCase(): Promise<RequestCase | undefined> {
    this.#shortest ??= await this.shortCases(this.contents[0]);
    this.session.made += 1;
    const [input] = this.samples(this.#shortest, 1, 'valid case', this.session.made);
    return input && this.prepare(input);
  }

  /** Reads what is at these path parameters, whatever that is. */
  async readAt(path: PathValues): Promise<CaseOutcome | undefined> {
    const cases = await this.shortCases(this.contents[0]);
    const [input] = this.samples(cases, 1, 'read');
    return input && this.send(await this.resources.pinTo(input, path), { intent: 'valid' });
  }

  /** Gives the problems of an answer as findings. */
  findings(
    { sent, checked }: CaseOutcome,
    description: string,
    more: readonly Problem[] = [],
    about: Pick<TestFinding, 'field' | 'kind'> = {},
  ): TestFinding[] {
    return [...more, ...checked.problems].map((problem) => ({
      problem,
      operation: this.operation,
      coverage: this.coverage,
      sent: [sent],
      description,
      ...about,
      statusKey: checked.response?.key,
    }));
  }

  /** Reports the problems of an answer. */
  report(...parts: Parameters<Subject['findings']>): void {
    this.session.reportAll(this.findings(...parts));
  }
}
