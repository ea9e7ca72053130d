/** A document, its handlers and its security handlers become one listener of node:http. */

import type { RequestListener } from 'node:http';
import { lazy, memoize } from '../../base/memoize';
import { joinInSteps, mapInSteps, runInSteps } from '../../base/run-in-steps';
import { type Diagnostic, describeDiagnostic } from '../../document/diagnostics/diagnostic';
import { originalJson, usableJson, usableYaml } from '../../document/document-texts';
import type { ClientOf } from '../../http/caller';
import { type Exchange, giveUp, NodeExchange, type Routes } from '../../http/exchange';
import type { WriteError } from '../../http/failure';
import type { HttpResponse } from '../../http/send';
import type { Operation } from '../../model/operation';
import type { ApiDocument } from '../document/api-document';
import { Memory } from '../memory/memory';
import { exampleProblems } from '../mock/example-errors';
import { operationRouter } from '../paths/operation-router';
import { compileErrors, fallbackResponses } from '../responses/error-response';
import { compileSteps, type OperationOptions, operationCompiler } from './compile-operation';
import type { UntypedHandler } from './handler';
import { type DocumentResponses, type Service, serveRequest } from './serve-request';

// The description of a service is no secret: pages of every origin may read it (Fetch Standard, CORS protocol).
const documentResponse = (mediaType: string, make: () => Iterable<string>) =>
  lazy(
    async (): Promise<HttpResponse> => ({
      status: 200,
      headers: { 'Content-Type': mediaType, 'Access-Control-Allow-Origin': '*' },
      // Bytes: a text would be encoded for each response.
      body: Buffer.from(await joinInSteps(make())),
    }),
  );

/**
 * Makes the responses to `GET /openapi.json` and `GET /openapi.yaml` (RFC 9512), and to HEAD: documents that generators of clients can
 * use, or the author's with the query `original`.
 */
export const documentResponses = (document: ApiDocument): DocumentResponses => {
  const [json, yaml] = ['application/json', 'application/yaml'];
  const responses = new Map([
    ['/openapi.json', documentResponse(json, () => usableJson(document))],
    ['/openapi.yaml', documentResponse(yaml, () => usableYaml(document))],
    ['/openapi.json?original', documentResponse(json, () => originalJson(document))],
    ['/openapi.yaml?original', documentResponse(yaml, () => [document.text])],
  ]);
  return (method, path, query = '') => {
    // Most paths differ in their beginning, which is faster than a look-up.
    if (!path.startsWith('/openapi.')) return undefined;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const isOriginal = new URLSearchParams(query).has('original');
    return responses.get(isOriginal ? `${path}?original` : path)?.();
  };
};

/** The options of a service. */
export interface ServiceOptions
  extends OperationOptions,
    Pick<Service, 'log'>,
    Partial<Pick<Service, 'errorPage' | 'replaceError' | 'hooks' | 'trace'>> {
  /** By operationId. An operation without one answers 501, or a mock. */
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  /** Finds the client of a request; the peer of its connection if left out. */
  readonly clientOf?: ClientOf | undefined;
  /** Serves paths that no operation has; its errors are answered like every failure. */
  readonly routes?: Routes;
}

/** Serves a document, also as a request handler of Express. */
export interface OpenApiService extends RequestListener {
  /** Serves a request of any host. */
  serve(exchange: Exchange): Promise<void>;
  /** Writes an error as the operation declares it, or as the document does where no operation was reached. */
  writeError(operation: Operation | undefined, ...error: Parameters<WriteError>): HttpResponse;
  readonly operationsWithoutHandler: readonly Operation[];
  /** operationIds. */
  readonly handlersWithoutOperation: readonly string[];
  /**
   * Compiles all operations between requests; to be called when the server listens. Without it each operation is compiled at its first
   * use. With mocks, it then finds examples that do not fit their schemas, which takes as long again.
   * @param signal stops it
   * @param report is called with each such example; they are logged if it is left out
   */
  precompile(signal?: AbortSignal, report?: (problem: Diagnostic) => void): Promise<void>;
}

/** The number of references that most values follow; schemas beyond are compiled when a value reaches them. */
const NEAR = 3;

/**
 * Makes the listener that serves a document: its operations below the path that it is mounted at, and the document itself at
 * `/openapi.json` and `/openapi.yaml`.
 * @example const listener = openApiService(document, { handlers, securityHandlers, tools, log, ...limits });
 */
export const openApiService = (document: ApiDocument, options: ServiceOptions): OpenApiService => {
  const { tools, validateResponses, bodies, log, routes, clientOf } = options;
  const router = operationRouter(document.operations, options.handlers);
  const { matchOperation, operationsWithoutHandler, handlersWithoutOperation } = router;
  const responseTools = { ...tools, validateResponses };
  const fallback = fallbackResponses(document, responseTools);
  const mocked = new Set(options.mocks ? operationsWithoutHandler : []);
  const { mocks = false, memory: memoryOptions = {} } = options;
  const memory =
    mocks && memoryOptions ? new Memory(document, mocked, tools, memoryOptions) : undefined;
  const compile = operationCompiler(document, mocked, fallback, options, log.step, memory);
  const prepared = new Set<Operation>();
  /** Compiles an operation in steps: a large one would block all other requests. */
  const preparing = memoize(async (operation: Operation): Promise<void> => {
    const steps = compileSteps([operation], compile, tools.validators, NEAR);
    await mapInSteps(steps, () => undefined);
    prepared.add(operation);
  });
  const prepare = (operation: Operation) =>
    prepared.has(operation) ? undefined : preparing(operation);
  function* allSteps(report: (problem: Diagnostic) => void): Generator<void> {
    for (const operation of document.operations) {
      yield* compileSteps([operation], compile, tools.validators);
      prepared.add(operation);
    }
    if (!options.mocks) return;
    for (const problems of exampleProblems(document, tools)) {
      for (const problem of problems) report(problem);
      yield;
    }
  }
  const documentAt = documentResponses(document);
  const service: Service = {
    documentAt: (method, path, query) =>
      memory?.responseAt(method, path) ?? documentAt(method, path, query),
    matchOperation,
    compile,
    prepare,
    writeError: compileErrors([], responseTools, fallback, { Allow: '' }),
    errorPage: options.errorPage,
    replaceError: options.replaceError,
    hooks: options.hooks,
    trace: options.trace,
    bodies,
    log,
  };
  const serve = (exchange: Exchange) => serveRequest(service, exchange);
  const listener: RequestListener = (request, response) => {
    serve(new NodeExchange(request, response, clientOf, routes)).catch(giveUp(response));
  };
  const logProblem = (problem: Diagnostic) => log.error({}, describeDiagnostic(problem));
  const precompile: OpenApiService['precompile'] = (signal, report = logProblem) =>
    runInSteps(allSteps(report), signal);
  const writeError: OpenApiService['writeError'] = (operation, ...error) =>
    (operation === undefined ? service : compile(operation)).writeError(...error);
  return Object.assign(listener, {
    serve,
    writeError,
    operationsWithoutHandler,
    handlersWithoutOperation,
    precompile,
  });
};
