/** A document, its handlers and its security handlers become one listener of node:http. */

import type { RequestListener } from 'node:http';
import { lazy, memoize } from '../../base/memoize';
import { joinInSteps, mapInSteps, runInSteps } from '../../base/run-in-steps';
import { definitionJsonParts, definitionYaml } from '../document/bundle/write-definition';
import { type Diagnostic, describeDiagnostic } from '../document/diagnostics/diagnostic';
import type { ApiDocument } from '../document/document';
import type { Operation } from '../document/model/operation';
import type { HttpResponse } from '../http/send';
import { exampleProblems } from '../mock/example-errors';
import { operationRouter } from '../paths/operation-router';
import { compileErrors, fallbackResponses } from '../responses/error-response';
import type { ClientOf } from '../security/security-handlers';
import { compileSteps, type OperationOptions, operationCompiler } from './compile-operation';
import type { UntypedHandler } from './handler';
import {
  type DocumentResponses,
  type ErrorPage,
  type Routes,
  type Service,
  type ServiceLog,
  serveRequest,
} from './serve-request';

// The description of a service is no secret: pages of every origin may read it (Fetch Standard, CORS protocol).
const documentResponse = (mediaType: string, make: () => Iterable<string>) =>
  lazy(
    async (): Promise<HttpResponse> => ({
      status: 200,
      headers: { 'Content-Type': mediaType, 'Access-Control-Allow-Origin': '*' },
      // Bytes, since a text would be encoded for each response anew.
      body: Buffer.from(await joinInSteps(make())),
    }),
  );

/**
 * `GET /openapi.json` and `GET /openapi.yaml` (RFC 9512), and the same by HEAD. Generators of clients can use them; with
 * the query `original` they are the author's own.
 */
export const documentResponses = (document: ApiDocument): DocumentResponses => {
  const { definition, replacements, text } = document;
  const usableYaml = () =>
    replacements.size > 0 ? definitionYaml(definition, replacements) : text;
  const [json, yaml] = ['application/json', 'application/yaml'];
  const responses = new Map([
    ['/openapi.json', documentResponse(json, () => definitionJsonParts(definition, replacements))],
    ['/openapi.yaml', documentResponse(yaml, () => [usableYaml()])],
    ['/openapi.json?original', documentResponse(json, () => definitionJsonParts(definition))],
    ['/openapi.yaml?original', documentResponse(yaml, () => [text])],
  ]);
  return (method, path, query = '') => {
    // To look a path up takes longer than to tell it from these by how it begins.
    if (!path.startsWith('/openapi.')) return undefined;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const isOriginal = new URLSearchParams(query).has('original');
    return responses.get(isOriginal ? `${path}?original` : path)?.();
  };
};

/** How a service is set up. */
export interface ServiceOptions extends OperationOptions {
  /** By operationId. An operation without one answers 501, or a mock. */
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  readonly log: ServiceLog;
  /** Tells who sent a request; the peer of its connection, where this is not given. */
  readonly clientOf?: ClientOf;
  /** Serves paths that no operation has; what it fails with is answered like every failure. */
  readonly routes?: Routes;
  /** Pages for people who meet a failure, where the operation declares no HTML. */
  readonly errorPage?: ErrorPage;
}

/** Serves a document, also as a request handler of Express. */
export interface OpenApiService extends RequestListener {
  readonly operationsWithoutHandler: readonly Operation[];
  /** operationIds; the log is told of them, too. */
  readonly handlersWithoutOperation: readonly string[];
  /**
   * Compiles, between requests, what the first use of each operation would have to wait for; to be called when the server
   * listens. Without it each operation is compiled at its first use. Where mocks answer, examples that do not fit their
   * schemas are found behind that: it takes validators that compile in the same time as all the rest.
   * @param signal says when to stop
   * @param tell is given each such example; the log is, where this is not given
   */
  compileAhead(signal?: AbortSignal, tell?: (problem: Diagnostic) => void): Promise<void>;
}

/** How many references away a value mostly ends; what lies further is compiled when one comes there. */
const NEAR = 3;

/** The peer of the connection: right where no proxy stands in front. */
const connectedClient: ClientOf = ({ socket }) => ({
  address: socket.remoteAddress ?? '',
  secure: 'encrypted' in socket && socket.encrypted === true,
});

/**
 * Makes what serves a document: its operations below the path that it is mounted at, and the document itself at
 * `/openapi.json` and `/openapi.yaml`.
 */
export const openApiService = (document: ApiDocument, options: ServiceOptions): OpenApiService => {
  const { tools, validateResponses, bodies, log, routes, clientOf = connectedClient } = options;
  const router = operationRouter(document.operations, options.handlers);
  const { matchOperation, operationsWithoutHandler, handlersWithoutOperation } = router;
  for (const operationId of handlersWithoutOperation) {
    log.error({ operationId }, `The document has no operation for the handler ${operationId}`);
  }
  const responseTools = { ...tools, validateResponses };
  const fallback = fallbackResponses(document, responseTools);
  const mocked = new Set(options.mocks ? operationsWithoutHandler : []);
  const compile = operationCompiler(document, mocked, fallback, options, log.step);
  const prepared = new Set<Operation>();
  /** Operations are large in some documents: compiling one in one go would hold up all other requests. */
  const preparing = memoize(async (operation: Operation): Promise<void> => {
    const steps = compileSteps([operation], compile, tools.validators, NEAR);
    await mapInSteps(steps, () => undefined);
    prepared.add(operation);
  });
  const prepare = (operation: Operation) =>
    prepared.has(operation) ? undefined : preparing(operation);
  function* allSteps(tell: (problem: Diagnostic) => void): Generator<void> {
    for (const operation of document.operations) {
      yield* compileSteps([operation], compile, tools.validators);
      prepared.add(operation);
    }
    if (!options.mocks) return;
    for (const problems of exampleProblems(document, tools)) {
      for (const problem of problems) tell(problem);
      yield;
    }
  }
  const service: Service = {
    documentAt: documentResponses(document),
    matchOperation,
    compile,
    prepare,
    routes,
    clientOf,
    writeError: compileErrors([], responseTools, fallback, ''),
    errorPage: options.errorPage,
    bodies,
    log,
  };
  const serve: RequestListener = (request, response) =>
    void serveRequest(service, request, response);
  const logProblem = (problem: Diagnostic) => log.error({}, describeDiagnostic(problem));
  const compileAhead: OpenApiService['compileAhead'] = (signal, tell = logProblem) =>
    runInSteps(allSteps(tell), signal);
  return Object.assign(serve, { operationsWithoutHandler, handlersWithoutOperation, compileAhead });
};
