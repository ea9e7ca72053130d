/** One test run of one document: what all tests of it share, and what they have found. */

import { type ApiDocument, type SchemaContext, schemaContext } from '../../../engine';
import { type Operation, requestMethod } from '../../../model/operation';
import {
  curlCommand,
  describeExchange,
  type Secret,
  secretHider,
} from '../exchange/describe-exchange';
import type { HttpClient, SentRequest } from '../exchange/http-client';
import { type Problem, testRules } from '../rules';
import type { Depth, Failure, SecurityKind } from '../test-report';
import type { CoverageRecorder, Field } from './coverage';
import { type Credential, secretsOf } from './credentials';

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
export interface Finding {
  readonly problem: Problem;
  readonly operation: Operation;
  /** Counts the failure for the operation. */
  readonly coverage: CoverageRecorder;
  /** All exchanges that it takes, the failing one last. */
  readonly sent: readonly SentRequest[];
  /** The request in words. */
  readonly description: string;
  /** The field that was wrong. */
  readonly field?: Field | undefined;
  readonly kind?: SecurityKind | undefined;
  /** The key of the response that the failing answer is. */
  readonly statusKey?: string | undefined;
}

/** The most findings of one rule that are reported for one operation. */
const MOST_OF_RULE = 8;

/** Gives the key that tells one finding from another. */
export const keyOf = ({ problem, operation, field }: Finding): string =>
  [
    operation.operationId,
    problem.rule,
    problem.place ?? '',
    problem.rule === 'invalid-accepted' ? (field?.name ?? '') : '',
  ].join(' ');

/** Spreads a seed, so that each test has random numbers of its own (FNV-1a). */
const hash = (seed: number, label: string): number => {
  let value = 0x811c9dc5 ^ seed;
  for (const character of label) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return value | 0;
};

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

  /** The seed of one test: the same for the same run. */
  seedOf(...labels: readonly (string | number)[]): number {
    return hash(this.options.seed, labels.join('\n'));
  }

  /** Chooses a number by the depth of the run. */
  times(quick: number, normal: number, deep: number): number {
    return { quick, normal, deep }[this.options.depth];
  }

  /** Tells whether a finding is to be reported: it is new, and not one of many of its rule. */
  isNew(finding: Finding): boolean {
    const { operation, problem } = finding;
    const alike = this.failures.filter(
      (failure) => failure.operation === operation.operationId && failure.rule === problem.rule,
    );
    return !this.#known.has(keyOf(finding)) && alike.length < MOST_OF_RULE;
  }

  /** Adds a finding to the report, unless it is there. */
  report(finding: Finding): void {
    if (!this.isNew(finding)) return;
    this.#known.add(keyOf(finding));
    const { coverage, field, kind, statusKey } = finding;
    const failure = this.#describe(finding);
    coverage.recordFailure(field, kind, statusKey);
    this.failures.push(failure);
    if (this.options.onFailure(failure)) this.isOver = true;
  }

  /** Adds all of them. */
  reportAll(findings: readonly Finding[]): void {
    for (const finding of findings) this.report(finding);
  }

  #describe({ problem, operation, sent, description }: Finding): Failure {
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
