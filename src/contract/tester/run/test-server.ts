/** Tests a server against a document: everything that the document says, in an order that lets requests succeed. */

import { testFields } from '../cases/field-cases';
import { testProtocol } from '../cases/protocol-cases';
import { testSecurity } from '../cases/security-cases';
import { testConflict, testReadOnly, testUnknown } from '../cases/special-cases';
import { testValidCases } from '../cases/valid-cases';
import { testWrongCases } from '../cases/wrong-cases';
import { type HttpClient, httpClient } from '../exchange/http-client';
import { testRepresentations } from '../sequences/representations';
import { resourcesOf, testResource } from '../sequences/test-resource';
import { Session, type TestOptions } from '../session/session';
import type { Subject } from '../session/subject';
import { sow, subjectsOf } from '../session/subjects';
import { percentOf, type TestReport } from '../test-report';
import {
  baseUrl,
  requireCredentials,
  requireOperations,
  requireOperationsThere,
  requireSchemes,
  requireServer,
} from './test-options';

/** Sorts operations so that those that delete come last: others need what they delete. */
const inOrder = (subjects: readonly Subject[]): Subject[] =>
  subjects.toSorted(
    (one, other) =>
      Number(one.operation.method === 'delete') - Number(other.operation.method === 'delete'),
  );

type Step = (subject: Subject, subjects: readonly Subject[]) => Promise<void>;

/** The life of each resource that the operation creates. */
const testResources: Step = async (subject, subjects) => {
  if (subject.session.options.stateless) return;
  for (const resource of resourcesOf(subject, subjects)) await testResource(resource);
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

const reportOf = (
  session: Session,
  subjects: readonly Subject[],
  requests: number,
  isComplete: boolean,
  url: URL,
): TestReport => {
  const { document, options, failures } = session;
  const { title, version } = document.info;
  const operations = subjects.map(({ coverage }) => coverage.summary(document.name));
  return {
    seed: options.seed,
    depth: options.depth,
    requests,
    isComplete,
    documents: [{ name: document.name, file: document.file, title, version, url: url.href }],
    failures,
    coverage: { ...percentOf(operations), operations },
  };
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
  client: HttpClient,
  url: URL,
): Promise<TestReport> => {
  const { document, headers = [], only = [], minutes = 60 } = options;
  const { onProgress, onFailure = () => false } = options;
  const end = performance.now() + minutes * 60_000;
  let isComplete = true;
  let progress = { document: document.name, operation: '', done: 0, total: 0, failures: 0 };
  const tell = () => onProgress?.({ ...progress, requests: client.count() });
  const session = new Session({
    document,
    client,
    credentials: options.credentials ?? [],
    secrets: headers.map(([, text], index) => ({ text, variable: `HEADER_${index + 1}` })),
    seed: options.seed ?? 1,
    depth: options.depth ?? 'normal',
    stateless: options.stateless ?? false,
    shrink: options.shrink ?? true,
    onRequest() {
      tell();
      if (performance.now() < end) return;
      isComplete = false;
      session.isOver = true;
    },
    onFailure: (failure) => {
      progress = { ...progress, failures: progress.failures + 1 };
      return onFailure(failure);
    },
  });
  const subjects = subjectsOf(session);
  const chosen = subjects.filter(
    ({ operation }) => only.length === 0 || only.includes(operation.operationId),
  );
  for (const subject of chosen) subject.coverage.skipped = subject.whyNot();
  const tested = chosen.filter(({ coverage }) => coverage.skipped === undefined);
  if (!session.options.stateless) await sow(subjects, session);
  const all = inOrder(tested).flatMap((subject) => steps.map((step) => ({ subject, step })));
  for (const [done, { subject, step }] of all.entries()) {
    const { operationId } = subject.operation;
    progress = { ...progress, operation: operationId, done, total: all.length };
    if (!session.isOver) await step(subject, subjects);
  }
  tell();
  requireOperationsThere(subjects, url);
  requireCredentials(options, chosen);
  return reportOf(session, chosen, client.count(), isComplete, url);
};
