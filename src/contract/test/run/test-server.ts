/** Tests a server against a document: everything that the document says, in an order that lets requests succeed. */

import type { ApiDocument } from '../../../engine';
import { testFields } from '../cases/field-cases';
import { testProtocol } from '../cases/protocol-cases';
import { testSecurity } from '../cases/security-cases';
import { testConflict, testReadOnly, testUnknown } from '../cases/special-cases';
import { testValidCases } from '../cases/valid-cases';
import { testWrongCases } from '../cases/wrong-cases';
import type { Secret } from '../exchange/describe-exchange';
import { httpClient } from '../exchange/http-client';
import { percentOf } from '../reports/join-reports';
import { testRepresentations } from '../sequences/representations';
import { resourcesOf } from '../sequences/resource';
import { testResource } from '../sequences/test-resource';
import { type Credential, loginScheme, securitySchemes } from '../session/credentials';
import { Session } from '../session/session';
import type { Subject } from '../session/subject';
import { Workbench } from '../session/workbench';
import type { Depth, Failure, TestReport } from '../test-report';

/** What to test, and how. */
export interface TestOptions {
  readonly document: ApiDocument;
  /** Where the document's paths begin. */
  readonly url: string;
  readonly credentials?: readonly Credential[];
  /** Sent with every request; their values are kept out of the report. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** The operationIds to test; all where none is given. */
  readonly only?: readonly string[];
  readonly seed?: number;
  readonly depth?: Depth;
  /** No sequences of operations on the same resource. */
  readonly stateless?: boolean;
  /** Whether the shortest failing case is looked for: true. */
  readonly shrink?: boolean;
  /** Called for each failure; true ends the run. */
  readonly onFailure?: (failure: Failure) => boolean;
  /** Called as the run goes on. */
  readonly onProgress?: (progress: Progress) => void;
}

/** How far a run is. */
export interface Progress {
  readonly document: string;
  readonly operation: string;
  /** Steps done, of those to do. */
  readonly done: number;
  readonly total: number;
  readonly requests: number;
  readonly failures: number;
}

/** Options that make no sense for the document or the server: one sentence for the user. */
export class UnusableOptions extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableOptions';
  }
}

const requireSchemes = ({ document, credentials = [] }: TestOptions): void => {
  const names = [...securitySchemes(document).keys()];
  const isUsed = document.operations.some(({ loggedInUser }) => loggedInUser !== undefined);
  const known = isUsed ? [...names, loginScheme] : names;
  const wrong = credentials.find(({ scheme }) => !known.includes(scheme));
  if (wrong === undefined) return;
  const choice = known.length === 0 ? 'It has none.' : `It has ${known.join(', ')}.`;
  throw new UnusableOptions(
    `${document.file} has no security scheme "${wrong.scheme}", which --credential names. ${choice}`,
  );
};

const requireOperations = ({ document, only = [] }: TestOptions): void => {
  const names = document.operations.map(({ operationId }) => operationId);
  const wrong = only.find((name) => !names.includes(name));
  if (wrong === undefined) return;
  throw new UnusableOptions(`${document.file} has no operation "${wrong}", which --only names.`);
};

const baseUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new UnusableOptions(`"${text}" is no http or https URL.`);
};

/** What removes comes last, because others need what it removes. */
const inOrder = (subjects: readonly Subject[]): Subject[] =>
  subjects.toSorted(
    (one, other) =>
      Number(one.operation.method === 'delete') - Number(other.operation.method === 'delete'),
  );

type Step = (bench: Workbench, subject: Subject) => Promise<void>;

/** The life of each resource that the operation creates. */
const testResources: Step = async (bench, subject) => {
  if (bench.session.options.stateless) return;
  for (const resource of resourcesOf(bench).filter(({ create }) => create === subject)) {
    await testResource(bench, resource);
  }
};

const steps: readonly Step[] = [
  testValidCases,
  testFields,
  testWrongCases,
  testUnknown,
  testConflict,
  testReadOnly,
  testSecurity,
  testProtocol,
  testRepresentations,
  testResources,
];

const secretHeaders = ({ headers = [] }: TestOptions): Secret[] =>
  headers.map(([, text], index) => ({ text, variable: `HEADER_${index + 1}` }));

const reportOf = (
  session: Session,
  subjects: readonly Subject[],
  requests: number,
  url: URL,
): TestReport => {
  const { document, options, failures } = session;
  const { title, version } = document.definition.info;
  const operations = subjects.map(({ coverage }) => coverage.summary(document.name));
  return {
    seed: options.seed,
    depth: options.depth,
    requests,
    documents: [{ name: document.name, file: document.file, title, version, url: url.href }],
    failures,
    coverage: { ...percentOf(operations), operations },
  };
};

/** Asks for anything at all: a server that cannot be reached has failed no test. */
const requireServer = async (client: ReturnType<typeof httpClient>, url: URL): Promise<void> => {
  const { error } = await client.send({ method: 'GET', target: '/', headers: [], body: undefined });
  if (error === undefined) return;
  throw new UnusableOptions(`No server answers at ${url.href}: ${error}.`);
};

/**
 * Tests a server. Resolves to the report, whatever the server does.
 * @throws UnusableOptions where an option does not fit the document, or nothing answers at the URL
 */
export const testServer = async (options: TestOptions): Promise<TestReport> => {
  const url = baseUrl(options.url);
  requireSchemes(options);
  requireOperations(options);
  const client = httpClient(url, options.headers);
  try {
    await requireServer(client, url);
    return await runTests(options, client, url);
  } finally {
    client.close();
  }
};

const runTests = async (
  options: TestOptions,
  client: ReturnType<typeof httpClient>,
  url: URL,
): Promise<TestReport> => {
  const { document, only = [], onProgress, onFailure = () => false } = options;
  let progress = { document: document.name, operation: '', done: 0, total: 0, failures: 0 };
  const tell = () => onProgress?.({ ...progress, requests: client.count() });
  const session = new Session({
    document,
    client,
    credentials: options.credentials ?? [],
    secrets: secretHeaders(options),
    seed: options.seed ?? 1,
    depth: options.depth ?? 'normal',
    stateless: options.stateless ?? false,
    shrink: options.shrink ?? true,
    onRequest: tell,
    onFailure: (failure) => {
      progress = { ...progress, failures: progress.failures + 1 };
      return onFailure(failure);
    },
  });
  const bench = new Workbench(session);
  const chosen = bench.subjects.filter(
    ({ operation }) => only.length === 0 || only.includes(operation.operationId),
  );
  if (!session.options.stateless) await bench.sow();
  const all = inOrder(chosen).flatMap((subject) => steps.map((step) => ({ subject, step })));
  for (const [done, { subject, step }] of all.entries()) {
    const { operationId } = subject.operation;
    progress = { ...progress, operation: operationId, done, total: all.length };
    if (!session.isOver) await step(bench, subject);
  }
  tell();
  return reportOf(session, chosen, client.count(), url);
};
