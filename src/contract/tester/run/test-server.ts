/** Tests a server against a document: everything that the document says, in an order that lets requests succeed. */

import { creationOf, itemPathsOf } from '../../../document/resources/item-paths';
import { type HttpClient, httpClient } from '../../../requests/http-client';
import { testFields } from '../cases/field-cases';
import { testHeaders } from '../cases/header-cases';
import { testProtocol } from '../cases/protocol-cases';
import { testSecurity } from '../cases/security-cases';
import { testConflict, testReadOnly, testUnknown } from '../cases/special-cases';
import { testValidCases } from '../cases/valid-cases';
import { testWrongCases } from '../cases/wrong-cases';
import { isSuccess } from '../checks/check-answer';
import { testRepresentations } from '../sequences/representations';
import { resourcesCreatedBy, testResource, testStored } from '../sequences/test-resource';
import { KnownResources, type Make, type ReadResource } from '../session/resources';
import { Session, type TestOptions } from '../session/session';
import { Subject } from '../session/subject';
import { percentOf, type TestReport } from '../test-report';
import {
  requireCredentials,
  requireOperations,
  requireOperationsThere,
  requireSchemes,
  requireServer,
  requireUrl,
} from './test-options';

/** Makes the subjects of a document: those of its operations that can be asked. */
const subjectsOf = (session: Session): readonly Subject[] => {
  const { document, tools } = session;
  const make: Make = async (operation) => {
    const subject = subjects.find((one) => one.operation === operation);
    const input = await subject?.validCase();
    const outcome = input && (await subject?.sendPrepared(input));
    return input && isSuccess(outcome) ? { input, outcome } : undefined;
  };
  const read: ReadResource = async (path, values) => {
    const isReader = ({ operation }: Subject): boolean =>
      operation.path === path && operation.method === 'get';
    return subjects.find(isReader)?.readAt(values);
  };
  const resources = new KnownResources(document, tools, make, read);
  const subjects: readonly Subject[] = document.operations
    .filter(({ invalidReason }) => invalidReason === undefined)
    .map((operation) => new Subject(operation, session, resources));
  return subjects;
};

/** Creates some of everything, with all that is optional, so that lists are not empty. */
const sow = async (subjects: readonly Subject[], { document }: Session): Promise<void> => {
  const itemPaths = document.operations.flatMap(({ path }) => itemPathsOf(path).slice(0, 1));
  const creations = itemPaths.map((itemPath) => creationOf(document, itemPath)?.operation);
  // The least number of resources of each kind.
  const seedlings = 3;
  for (const creation of new Set(creations)) {
    const subject = subjects.find(({ operation }) => operation === creation);
    if (subject === undefined) continue;
    const cases = subject.cases({ content: subject.contents[0], optional: true, examples: false });
    for (const input of subject.samples(cases, seedlings, 'sow')) {
      const prepared = await subject.prepare(input);
      if (subject.write(prepared)?.isValid) await subject.sendPrepared(prepared);
    }
  }
};

const steps: readonly ((subject: Subject, subjects: readonly Subject[]) => Promise<void>)[] = [
  testValidCases,
  testFields,
  testWrongCases,
  testUnknown,
  testConflict,
  testReadOnly,
  testSecurity,
  testProtocol,
  testHeaders,
  testRepresentations,
  async (subject, subjects) => {
    if (subject.session.options.stateless) return;
    for (const resource of resourcesCreatedBy(subject, subjects)) await testResource(resource);
    await testStored(subject, subjects);
  },
];

/**
 * Tests a server. Resolves to the report, whatever the server does.
 * @throws UnusableOptions where an option does not fit the document, or nothing answers at the URL
 */
export const runServerTest = async (options: TestOptions): Promise<TestReport> => {
  const url = requireUrl(options.url);
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

const runTests = async (options: TestOptions, client: HttpClient, url: URL) => {
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
  for (const subject of session.options.stateless ? [] : tested) {
    for (const resource of resourcesCreatedBy(subject, subjects))
      await testResource(resource, true);
  }
  // Operations that delete come last: others need what they delete.
  const deletes = ({ operation }: Subject) => Number(operation.method === 'delete');
  const ordered = tested.toSorted((one, other) => deletes(one) - deletes(other));
  const all = ordered.flatMap((subject) => steps.map((step) => ({ subject, step })));
  for (const [done, { subject, step }] of all.entries()) {
    const { operationId } = subject.operation;
    progress = { ...progress, operation: operationId, done, total: all.length };
    if (!session.isOver) await step(subject, subjects);
  }
  tell();
  requireOperationsThere(subjects, url);
  requireCredentials(options, chosen);
  const { title, version } = document.info;
  const operations = chosen.map(({ coverage }) => coverage.summary(document.name));
  return {
    seed: session.options.seed,
    depth: session.options.depth,
    requests: client.count(),
    isComplete,
    documents: [{ name: document.name, file: document.file, title, version, url: url.href }],
    failures: session.failures,
    coverage: { ...percentOf(operations), operations },
  };
};
