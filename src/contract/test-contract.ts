/** `spec-first/test`: the contract test of a server as one call, for jest, vitest and node:test. */

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ApiDocument, loadApiDocument } from '../engine';
import { type TestOptions, type TestReport, testFormats, testServer } from './index';

/** The options of `testContract`: a document, the server by its URL or as a listener, and the options of the contract test. */
export interface ContractTest extends Omit<TestOptions, 'document' | 'url'> {
  /** Its path (YAML or JSON), or what `loadApiDocument` or `parseApiDocument` made. */
  readonly document: string | ApiDocument;
  /** The URL at which the document's paths begin. */
  readonly url?: string;
  /** In place of a URL: what `createServer` takes, such as a router of this package or an application of Express. */
  readonly listener?: RequestListener;
}

/** The error of a server that does not keep its contract; its message lists every failure with the command that repeats it. */
export class ContractBroken extends Error {
  readonly report: TestReport;

  constructor(report: TestReport) {
    super(testFormats.text(report));
    this.name = 'ContractBroken';
    this.report = report;
  }
}

/** Serves while the function runs. */
const whileServing = async <Result>(
  listener: RequestListener,
  run: (origin: string) => Promise<Result>,
): Promise<Result> => {
  const server = createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  try {
    return await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
};

/**
 * Tests a server against a document: valid and invalid requests to each operation, security, media types, and the life of what is created.
 * @returns the report of a server without failures
 * @throws ContractBroken where the server does not keep its contract
 * @throws UnusableOptions where an option does not fit the document, or nothing answers at the URL
 * @example test('the shop keeps its contract', () => testContract({ document: 'shop.yaml', listener: app }), 60_000);
 */
export const testContract = async ({
  document: given,
  url,
  listener,
  ...options
}: ContractTest): Promise<TestReport> => {
  const document = typeof given === 'string' ? await loadApiDocument(given) : given;
  const testAt = (at: string) => testServer({ ...options, document, url: at });
  if ((url === undefined) === (listener === undefined)) {
    throw new TypeError('testContract takes either a url or a listener');
  }
  const report =
    listener === undefined
      ? await testAt(url ?? '')
      : await whileServing(listener, (origin) => testAt(origin + document.basePath));
  if (report.failures.length > 0) throw new ContractBroken(report);
  return report;
};
