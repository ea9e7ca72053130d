/** A document, its handlers and its security handlers become one listener of node:http. */

import type { RequestListener } from 'node:http';
import { definitionJson, definitionYaml } from '../document/bundle/write-definition';
import type { ApiDocument } from '../document/document';
import type { Operation } from '../document/model/operation';
import { usableReplacements } from '../document/usable-definition';
import type { HttpResponse } from '../http/send';
import { lazy } from '../lang/memoize';
import { runInSteps } from '../lang/run-in-steps';
import { operationRouter } from '../paths/operation-router';
import { compileErrors, fallbackResponses } from '../responses/error-response';
import type { ClientOf } from '../security/security-handlers';
import { compileSteps, type OperationOptions, operationCompiler } from './compile-operation';
import type { UntypedHandler } from './handler';
import {
  type ErrorPage,
  type Routes,
  type Service,
  type ServiceLog,
  serveRequest,
} from './serve-request';

/** The response to a request for the document; undefined where it asks for something else. */
export type DocumentResponses = (
  method: string,
  path: string,
  query?: string,
) => HttpResponse | undefined;

// The description of a service is no secret: pages of every origin may read it (Fetch Standard, CORS protocol).
const documentResponse = (mediaType: string, make: () => string): (() => HttpResponse) =>
  lazy(() => ({
    status: 200,
    headers: { 'Content-Type': mediaType, 'Access-Control-Allow-Origin': '*' },
    body: make(),
  }));

/**
 * `GET /openapi.json` and `GET /openapi.yaml` (RFC 9512), and the same by HEAD. Generators of clients can use them; with
 * the query `original` they are the author's own.
 */
export const documentResponses = (document: ApiDocument): DocumentResponses => {
  const { definition, references, text } = document;
  const replacements = lazy(() => usableReplacements(definition, references));
  const usableYaml = () =>
    replacements().size > 0 ? definitionYaml(definition, replacements()) : text;
  const [json, yaml] = ['application/json', 'application/yaml'];
  const responses = new Map([
    ['/openapi.json', documentResponse(json, () => definitionJson(definition, replacements()))],
    ['/openapi.yaml', documentResponse(yaml, usableYaml)],
    ['/openapi.json?original', documentResponse(json, () => definitionJson(definition))],
    ['/openapi.yaml?original', documentResponse(yaml, () => text)],
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
   * listens. Without it each operation is compiled at its first use.
   * @param signal says when to stop
   */
  compileAhead(signal?: AbortSignal): Promise<void>;
}

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
  const router = operationRouter(document, options.handlers);
  const { matchOperation, operationsWithoutHandler, handlersWithoutOperation } = router;
  for (const operationId of handlersWithoutOperation) {
    log.error({ operationId }, `The document has no operation for the handler ${operationId}`);
  }
  const responseTools = { ...tools, validateResponses };
  const fallback = fallbackResponses(document, responseTools);
  const compile = operationCompiler(document, router.handlers, fallback, options);
  const service: Service = {
    documentAt: documentResponses(document),
    matchOperation,
    compile,
    routes,
    clientOf,
    writeError: compileErrors([], responseTools, fallback, ''),
    errorPage: options.errorPage,
    bodies,
    log,
  };
  const serve: RequestListener = (request, response) =>
    void serveRequest(service, request, response);
  const compileAhead = (signal?: AbortSignal): Promise<void> =>
    runInSteps(compileSteps(document.operations, compile, tools.validators), signal);
  return Object.assign(serve, { operationsWithoutHandler, handlersWithoutOperation, compileAhead });
};
