/** Serves a document: its operations by their handlers, and the document itself. */

import { lazy, memoize } from '../../base/memoize';
import { joinInSteps, mapInSteps, runInSteps } from '../../base/run-in-steps';
import { originalJson, usableJson, usableYaml } from '../../document/document-texts';
import type { Exchange } from '../../http/exchange';
import type { WriteError } from '../../http/failure';
import type { HttpResponse } from '../../http/send';
import type { Operation } from '../../model/operation';
import type { ApiDocument } from '../document/api-document';
import { operationRouter } from '../paths/operation-router';
import { compileErrors, fallbackResponses } from '../responses/error-response';
import { compileSteps, operationCompiler } from './compile-operation';
import { type CompiledService, serveRequest } from './serve-request';
import {
  type PathResponses,
  type ServiceOptions,
  type SettledOptions,
  withDefaults,
} from './service-options';

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
export const documentResponses = (document: ApiDocument): PathResponses => {
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

/** Serves a document. */
export class Service {
  readonly operationsWithoutHandler: readonly Operation[];
  /** operationIds. */
  readonly handlersWithoutOperation: readonly string[];
  readonly #document: ApiDocument;
  readonly #compiled: CompiledService;
  /** The operations that are compiled as a whole. */
  readonly #prepared = new Set<Operation>();

  constructor(document: ApiDocument, options: SettledOptions) {
    const { tools, validateResponses, handlers, answerFirst } = options;
    const router = operationRouter(document.operations, handlers);
    this.operationsWithoutHandler = router.operationsWithoutHandler;
    this.handlersWithoutOperation = router.handlersWithoutOperation;
    this.#document = document;
    const responseTools = { ...tools, validateResponses };
    const fallback = fallbackResponses(document, responseTools);
    const documentAt = documentResponses(document);
    this.#compiled = {
      ...options,
      answerFirst:
        answerFirst === undefined
          ? documentAt
          : (...request) => answerFirst(...request) ?? documentAt(...request),
      matchOperation: router.matchOperation,
      compile: operationCompiler(document, router.handlerOf, fallback, options),
      prepare: (operation) =>
        this.#prepared.has(operation) ? undefined : this.#preparing(operation),
      writeError: compileErrors([], responseTools, fallback, { Allow: '' }),
      hooks: options.before || options.after ? options : undefined,
    };
  }

  /** Compiles an operation in steps: a large one would block all other requests. */
  readonly #preparing = memoize(async (operation: Operation): Promise<void> => {
    await mapInSteps(compileSteps(operation, this.#compiled.compile), () => undefined);
    this.#prepared.add(operation);
  });

  /** Serves a request of any host. */
  serve(exchange: Exchange): Promise<void> {
    return serveRequest(this.#compiled, exchange);
  }

  /** Writes an error as the operation declares it, or as the document does where no operation was reached. */
  writeError(operation: Operation | undefined, ...error: Parameters<WriteError>): HttpResponse {
    const compiled = this.#compiled;
    return (operation === undefined ? compiled : compiled.compile(operation)).writeError(...error);
  }

  /**
   * Compiles all operations between requests; to be called when the server listens. Without it each operation is compiled at its first
   * use.
   * @param signal stops it
   */
  precompile(signal?: AbortSignal): Promise<void> {
    return runInSteps(this.#allSteps(), signal);
  }

  *#allSteps(): Generator<void> {
    for (const operation of this.#document.operations) {
      yield* compileSteps(operation, this.#compiled.compile);
      this.#prepared.add(operation);
    }
  }
}

/**
 * Opens the service of a document: its operations, and the document itself at `/openapi.json` and `/openapi.yaml`.
 * @example const service = openApiService(document, { handlers, securityHandlers, log });
 */
export const openApiService = (document: ApiDocument, options: ServiceOptions): Service =>
  new Service(document, withDefaults(document, options));
