/** A document, its handlers and its security handlers become one listener of node:http. */

import type { RequestListener } from 'node:http';
import { definitionJson } from '../document/bundle/write-definition';
import type { ApiDocument } from '../document/document';
import type { Operation } from '../document/model/operation';
import type { HttpResponse } from '../http/send';
import { operationRouter } from '../paths/operation-router';
import { compileErrors, fallbackResponses } from '../responses/error-response';
import type { ClientOf } from '../security/security-handlers';
import { type OperationOptions, operationCompiler } from './compile-operation';
import type { UntypedHandler } from './handler';
import { type Routes, type Service, type ServiceLog, serveRequest } from './serve-request';

/** The response to a request for the document; undefined where it asks for something else. */
export type DocumentResponses = (method: string, path: string) => HttpResponse | undefined;

// The description of a service is no secret: pages of every origin may read it (Fetch Standard, CORS protocol).
const documentResponse = (mediaType: string, body: string): HttpResponse => ({
  status: 200,
  headers: { 'Content-Type': mediaType, 'Access-Control-Allow-Origin': '*' },
  body,
});

/** `GET /openapi.json` and `GET /openapi.yaml` (RFC 9512), and the same by HEAD. */
export const documentResponses = (document: ApiDocument): DocumentResponses => {
  const responses = new Map([
    ['/openapi.json', documentResponse('application/json', definitionJson(document.definition))],
    ['/openapi.yaml', documentResponse('application/yaml', document.text)],
  ]);
  return (method, path) => {
    // To look a path up takes longer than to tell it from these by how it begins.
    if (!path.startsWith('/openapi.')) return undefined;
    return method === 'GET' || method === 'HEAD' ? responses.get(path) : undefined;
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
}

/** Serves a document, also as a request handler of Express. */
export interface OpenApiService extends RequestListener {
  readonly operationsWithoutHandler: readonly Operation[];
  /** operationIds; the log is told of them, too. */
  readonly handlersWithoutOperation: readonly string[];
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
  const serve: RequestListener = (request, response) =>
    void serveRequest(service, request, response);
  return Object.assign(serve, { operationsWithoutHandler, handlersWithoutOperation });
};
