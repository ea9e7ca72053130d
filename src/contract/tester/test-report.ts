/** The results of a test run: plain data, from which every format of the report is made. */

import type { TestRule } from './rules';

/** The depth of a test: `quick` a sample of everything, `normal` each boundary, `deep` many values of each. */
export type Depth = 'quick' | 'normal' | 'deep';

/** One message of an exchange. Secrets are replaced by names such as `$CREDENTIAL_1`. */
export interface Message {
  /** Names as they were sent, in their order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /**
   * Text of the body, cut to some thousand characters; of a binary body its length in words. Undefined without a body.
   */
  readonly body?: string;
  /** Bytes of the whole body. */
  readonly bytes: number;
}

/** A request and what came back; `error` in place of a response where none came. */
export interface ReportedExchange {
  /** The method is in upper case. */
  readonly request: Message & { readonly method: string; readonly url: string };
  readonly response?: Message & { readonly status: number; readonly statusText: string };
  readonly error?: string;
}

/** One way in which the server does not keep what the document says. */
export interface Failure {
  /** Name of the document: `shop` for `specs/shop.yaml`. */
  readonly document: string;
  /** The operationId; for a path without the method that was asked, that of another operation there. */
  readonly operation: string;
  /** `GET /things/{id}`, the path as the document writes it. */
  readonly endpoint: string;
  readonly rule: TestRule;
  /** One sentence: what was done, what was expected and what was seen. */
  readonly message: string;
  readonly expected: string;
  readonly seen: string;
  /** The request in words: `body field "price" below its minimum`. */
  readonly sent: string;
  /** JSON Pointer into the body or `query/NAME`, where the failure concerns one place. */
  readonly place?: string;
  /** Commands that repeat the shortest failing case, one for each exchange, joined by line breaks. */
  readonly curl: string;
  /** The shortest failing case; several exchanges where it takes a sequence, the failing one last. */
  readonly exchanges: readonly ReportedExchange[];
}

/** Something that the document declares and a run may reach. */
export interface Covered {
  /** `200`, `4XX`, `default`, a media type. */
  readonly key: string;
  /** The number of times that it was seen or sent. */
  readonly count: number;
  /** The number of its failures. */
  readonly failed: number;
  /** The reason why it was never reached. */
  readonly reason?: string;
  /** True where it counts in the percentage: statuses that no client can provoke, such as 500, do not. */
  readonly counts: boolean;
}

/** A parameter or a top-level field of the body. */
export interface CoveredField {
  /** `path`, `query`, `header`, `cookie` or `body`. */
  readonly in: 'path' | 'query' | 'querystring' | 'header' | 'cookie' | 'body';
  readonly name: string;
  /** The number of valid values sent. */
  readonly valid: number;
  /**
   * The number of invalid values sent, and of those refused; 0 where no valid request succeeded, since such a
   * refusal tells nothing.
   */
  readonly invalid: number;
  readonly refused: number;
  readonly failed: number;
  /** The reason why valid or invalid values are missing, such as `every text is valid`. */
  readonly reason?: string;
  /** True where there are invalid values: only then they count in the percentage. */
  readonly hasInvalid: boolean;
}

/** The kinds of credentials of requests. */
export type SecurityKind = 'none' | 'wrong' | 'wrong-place' | 'too-few-scopes' | 'right';

export interface CoveredSecurity extends Omit<Covered, 'key'> {
  readonly kind: SecurityKind;
}

/** An optional property that a server may well drop: no failure, as documents do not say that it has to keep them. */
export interface UnreturnedProperty {
  /** A JSON Pointer into the body, `*` for any item of a list. */
  readonly place: string;
  /** The number of requests that were done and had it. */
  readonly sent: number;
}

export interface OperationCoverage {
  readonly document: string;
  readonly operation: string;
  readonly endpoint: string;
  /** Requests that were sent for the operation. */
  readonly requests: number;
  readonly failures: number;
  readonly statuses: readonly Covered[];
  readonly requestMediaTypes: readonly Covered[];
  /** `200 application/json`. */
  readonly responseMediaTypes: readonly Covered[];
  readonly fields: readonly CoveredField[];
  readonly security: readonly CoveredSecurity[];
  /** Properties that were sent, that answers declare, too, and that never came back. */
  readonly unreturned: readonly UnreturnedProperty[];
  /** Items reached, of the items that count; see src/contract/README.md. */
  readonly covered: number;
  readonly total: number;
}

export interface Coverage {
  /** 0 to 100, one decimal; 100 where there is nothing to reach. */
  readonly percent: number;
  readonly covered: number;
  readonly total: number;
  readonly operations: readonly OperationCoverage[];
}

/** The whole report. */
export interface TestReport {
  readonly seed: number;
  readonly depth: Depth;
  readonly requests: number;
  /** False where the run ended at its time limit. */
  readonly isComplete: boolean;
  /** Each with the URL at which it was tested. */
  readonly documents: readonly Readonly<
    Record<'name' | 'file' | 'title' | 'version' | 'url', string>
  >[];
  readonly failures: readonly Failure[];
  readonly coverage: Coverage;
}

/** The part of the items that was covered, of some operations. */
export const percentOf = (
  operations: readonly Pick<OperationCoverage, 'covered' | 'total'>[],
): Omit<Coverage, 'operations'> => {
  const covered = operations.reduce((sum, one) => sum + one.covered, 0);
  const total = operations.reduce((sum, one) => sum + one.total, 0);
  const percent = total === 0 ? 100 : Math.floor((1000 * covered) / total) / 10;
  return { percent, covered, total };
};

/** The report of all; the seed and the depth are those of the first. */
export const joinReports = (reports: readonly TestReport[]): TestReport => {
  const [first] = reports;
  const operations = reports.flatMap(({ coverage }) => coverage.operations);
  return {
    seed: first?.seed ?? 0,
    depth: first?.depth ?? 'normal',
    requests: reports.reduce((sum, { requests }) => sum + requests, 0),
    isComplete: reports.every(({ isComplete }) => isComplete),
    documents: reports.flatMap(({ documents }) => documents),
    failures: reports.flatMap(({ failures }) => failures),
    coverage: { ...percentOf(operations), operations },
  };
};
