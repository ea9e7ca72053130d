/** A document, its handlers and its security handlers become one listener of node:http. */

import type { RequestListener } from 'node:http';
import type { ApiDocument } from '../document/document';
import { documentResponses } from '../document/document-responses';
import type { Operation } from '../document/model/operation';
import { operationRouter } from '../paths/operation-router';
import { compileErrors, fallbackResponses } from '../responses/error-response';
import type { ClientOf } from '../security/principal';
import { type OperationOptions, operationCompiler } from './compile-operation';
import type { UntypedHandler } from './handler';
import { connectedClient } from './request-info';
import { type Routes, type Service, type ServiceLog, serveRequest } from './serve-request';

/** How a service is set up. */
export interface ServiceOptions extends OperationOptions {
  /** By operationId. An operation without one answers 501, or a mock. */
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  readonly log: ServiceLog;
  /** Tells who sent a request; the peer of its connection, where this is not given. */
  readonly clientOf?: ClientOf;
  /** Serves paths that no operation has; what it fails with is answered like every failure. */
  readonly routes?: Routes;
}

/** Serves a document, also as a request handler of Express. */
export interface OpenApiService extends RequestListener {
  readonly operationsWithoutHandler: readonly Operation[];
  /** operationIds; the log is told of them, too. */
  readonly handlersWithoutOperation: readonly string[];
}

/**
 * Makes what serves a document: its operations below the path that it is mounted at, and the document itself at
 * `/openapi.json` and `/openapi.yaml`.
 */
export const openApiService = (document: ApiDocument, options: ServiceOptions): OpenApiService => {
  const { tools, validateResponses, log, routes, clientOf = connectedClient } = options;
  const router = operationRouter(document, options.handlers);
  const { matchOperation, operationsWithoutHandler, handlersWithoutOperation } = router;
  for (const operationId of handlersWithoutOperation) {
    log.error({ operationId }, `The document has no operation for the handler ${operationId}`);
  }
  const responseTools = { ...tools, validateResponses };
  const fallback = fallbackResponses(document, responseTools);
  const service: Service = {
    documentAt: documentResponses(document),
    matchOperation,
    compile: operationCompiler(document, router.handlers, fallback, options),
    routes,
    clientOf,
    writeError: compileErrors([], responseTools, fallback, ''),
    log,
  };
  const serve: RequestListener = (request, response) => serveRequest(service, request, response);
  return Object.assign(serve, { operationsWithoutHandler, handlersWithoutOperation });
};
