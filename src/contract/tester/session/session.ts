/** One test run of one document: what all tests of it share, and what they have found. */

import fc from 'fast-check';
import { type ApiDocument, type SchemaContext, schemaContext } from '../../../engine';
import { type Operation, requestMethod } from '../../../model/operation';
import { type Credential, type Secret, secretsOf } from '../../../requests/credentials';
import type { HttpClient, SentRequest } from '../../../requests/http-client';
import { type Problem, testRules } from '../rules';
import type { Depth, Failure, SecurityKind } from '../test-report';
import type { CoverageRecorder, RequestField } from './coverage';
import { curlCommand, describeExchange, secretHider } from './describe-exchange';

/** The options of a test. */
export interface TestOptions {
  readonly document: ApiDocument;
  /** The URL at which the document's paths begin. */
  readonly url: string;
  readonly credentials?: readonly Credential[];
  /** Sent with every request; their values are kept out of the report. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** The operationIds to test; all where none is given. */
  readonly only?: readonly string[];
  readonly seed?: number;
  readonly depth?: Depth;
  /** Minutes after which the run ends: 60. */
  readonly minutes?: number;
  /** No sequences of operations on the same resource. */
  readonly stateless?: boolean;
  /** True, the default, to look for the shortest failing case. */
  readonly shrink?: boolean;
  /** Called for each failure; true ends the run. */
  readonly onFailure?: (failure: Failure) => boolean;
  /** Called as the run goes on. */
  readonly onProgress?: (progress: Progress) => void;
}

/** The progress of a run. */
export interface Progress {
  readonly document: string;
  readonly operation: string;
  /** Steps done, of those to do. */
  readonly done: number;
  readonly total: number;
  readonly requests: number;
  readonly failures: number;
}

/** The settings of a run: those of its options that all tests share, and what is called meanwhile. */
interface SessionOptions
  extends Required<
    Pick<
      TestOptions,
      'document' | 'credentials' | 'seed' | 'depth' | 'stateless' | 'shrink' | 'onFailure'
    >
  > {
  readonly client: HttpClient;
  /** Of `--header`: what stands in them is not shown. */
  readonly secrets: readonly Secret[];
  /** Called before each request. */
  readonly onRequest: () => void;
}

/** A problem, and how it came about. */
export interface TestFinding {
  readonly problem: Problem;
  readonly operation: Operation;
  /** Counts the failure for the operation. */
  readonly coverage: CoverageRecorder;
  /** All exchanges that it takes, the failing one last. */
  readonly sent: readonly SentRequest[];
  /** The request in words. */
  readonly description: string;
  /** The field that was wrong. */
  readonly field?: RequestField | undefined;
  readonly kind?: SecurityKind | undefined;
  /** The key of the response that the failing answer is. */
  readonly statusKey?: string | undefined;
}

const findingKey = ({ problem, operation, field }: TestFinding): string =>
  [
    operation.operationId,
    problem.rule,
    problem.place ?? '',
    problem.rule === 'invalid-accepted' ? (field?.name ?? '') : '',
  ].join(' ');

export class Session {
  readonly document: ApiDocument;
  readonly tools: SchemaContext;
  readonly options: SessionOptions;
  readonly failures: Failure[] = [];
  /** True once the run is to end. */
  isOver = false;
  /** The number of valid cases that were made, so that each has a seed of its own. */
  made = 0;
  readonly #known = new Set<string>();
  readonly #hide: (text: string) => string;

  constructor(options: SessionOptions) {
    this.options = options;
    this.document = options.document;
    this.tools = schemaContext(options.document);
    this.#hide = secretHider([...secretsOf(options.credentials), ...options.secrets]);
  }

  /** Makes the seed of one test, so that each has random numbers of its own (FNV-1a): the same for the same run. */
  seedOf(...labels: readonly (string | number)[]): number {
    let value = 0x811c9dc5 ^ this.options.seed;
    for (const character of labels.join('\n')) {
      value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
    }
    return value | 0;
  }

  /** Chooses a number by the depth of the run. */
  times(quick: number, normal: number, deep: number): number {
    return { quick, normal, deep }[this.options.depth];
  }

  /** Tells whether a finding is to be reported: it is new, and not one of many of its rule. */
  isNew(finding: TestFinding): boolean {
    const { operation, problem } = finding;
    const alike = this.failures.filter(
      (failure) => failure.operation === operation.operationId && failure.rule === problem.rule,
    );
    return !this.#known.has(findingKey(finding)) && alike.length < 8;
  }

  /** Adds a finding to the report, unless it is there. */
  report(finding: TestFinding): void {
    if (!this.isNew(finding)) return;
    this.#known.add(findingKey(finding));
    const { coverage, field, kind, statusKey } = finding;
    const failure = this.#describe(finding);
    coverage.recordFailure(field, kind, statusKey);
    this.failures.push(failure);
    if (this.options.onFailure(failure)) this.isOver = true;
  }

  /** Adds all of them. */
  reportAll(findings: readonly TestFinding[]): void {
    for (const finding of findings) this.report(finding);
  }

  #describe({ problem, operation, sent, description }: TestFinding): Failure {
    const { operationId, method, path } = operation;
    const { rule, expected, seen, place } = problem;
    const hide = this.#hide;
    const last = sent.at(-1)?.request;
    const asked = last === undefined ? '' : `${last.method} ${hide(last.url)}`;
    return {
      document: this.document.name,
      operation: operationId,
      endpoint: `${requestMethod(method)} ${path}`,
      rule,
      message: hide(
        `${asked} (${description}): expected ${expected}; seen: ${seen}. ${testRules[rule]}`,
      ),
      expected: hide(expected),
      seen: hide(seen),
      sent: description,
      ...(place === undefined ? {} : { place }),
      curl: sent.map((one) => curlCommand(one, hide)).join('\n'),
      exchanges: sent.map((one) => describeExchange(one, hide)),
    };
  }
}

/** The values to try. */
interface Exploration<Value> {
  /** Tells the random numbers of this exploration from those of others. */
  readonly label: string;
  readonly arbitrary: fc.Arbitrary<Value>;
  /** Values that are tried before others, as far as there are runs. */
  readonly first?: readonly Value[];
  readonly runs: number;
  /** Resolves to what is wrong; undefined where the value is of no use for the test. */
  readonly attempt: (value: Value) => Promise<readonly TestFinding[] | undefined>;
}

/** One round: the finding of the shortest value, or undefined. */
const explorationRound = async <Value>(
  session: Session,
  { label, arbitrary, first = [], runs, attempt }: Exploration<Value>,
  round: number,
): Promise<TestFinding | undefined> => {
  let last: TestFinding | undefined;
  // Further values that are tried after the first failing one.
  let left = 120;
  const isFine = async (value: Value): Promise<boolean> => {
    if (session.isOver || left <= 0) return true;
    if (last !== undefined) left -= 1;
    const findings = await attempt(value);
    fc.pre(findings !== undefined);
    const hit = findings.find((finding) =>
      last === undefined ? session.isNew(finding) : findingKey(finding) === findingKey(last),
    );
    last = hit ?? last;
    return hit === undefined;
  };
  await fc.check(fc.asyncProperty(arbitrary, isFine), {
    seed: session.seedOf(label, round),
    examples: first.map((value) => [value]),
    numRuns: runs,
    // Values of no use, for each that is of use.
    maxSkipsPerRun: 20,
    endOnFailure: !session.options.shrink,
  });
  return last;
};

/**
 * Tries arbitrary values until one shows something wrong, looks for the shortest that shows the same, and reports that; up to
 * several findings.
 */
export const explore = async <Value>(session: Session, exploration: Exploration<Value>) => {
  const mostRounds = 6;
  for (let round = 0; round < mostRounds && !session.isOver; round += 1) {
    const finding = await explorationRound(session, exploration, round);
    if (finding === undefined) return;
    session.report(finding);
  }
};
