/**
 * Serves a document: itself, and its operations by their handlers. The steps of a request in the order in which they run, and the
 * statuses that each may fail with:
 *
 *     route               404, 405 with Allow
 *     authorize           401, 403, 429
 *     find the handler    501
 *     negotiate           406
 *     read the condition  400, 428
 *     read parameters     the declared 400
 *     read the body       413, 415, 503, and the declared 400, 405 or 422
 *     make the context    a declared failure
 *     handle              a declared failure
 *     write the response  304, 500 if it is not what the document declares
 *
 * Every failure ends in `sendFailure`.
 */

import { lazy, memoize } from '../../base/memoize';
import { joinInSteps, mapInSteps, runInSteps } from '../../base/run-in-steps';
import { originalJson, usableJson, usableYaml } from '../../document/document-texts';
import {
  type Exchange,
  RequestLifetime,
  RequestLog,
  type ServiceLog,
  type Trace,
  type TracedPart,
} from '../../http/exchange';
import { sendFailure, type WriteError } from '../../http/failure';
import { HttpError, otherMethodResponse } from '../../http/http-error';
import { splitTarget } from '../../http/request';
import type { HttpResponse } from '../../http/send';
import type { Operation } from '../../model/operation';
import type { ApiDocument } from '../document/api-document';
import { fileInfo } from '../media-types/multipart/part-value';
import { describePart } from '../media-types/sequences/multipart-sequence';
import { handlersByOperation, type Match, operationRouter } from '../paths/operation-router';
import { BodyItems } from '../request-body/body-items';
import { deprecationMarker, markedErrors } from '../responses/deprecation';
import {
  commonErrors,
  compileErrors,
  fallbackResponses,
  ThrownResponse,
} from '../responses/error-response';
import type { HandlerResponse } from '../responses/response';
import { RequestInfo } from '../security/credentials';
import {
  type CompileOperation,
  compileSteps,
  operationCompiler,
  readInput,
  securityCompiler,
} from './compile-operation';
import type { HandlerHooks, UntypedHandler, UntypedRequest } from './handler';
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
    ['/openapi.yaml?original', documentResponse(yaml, () => [document.original.text])],
  ]);
  return (method, path, query = '') => {
    // Most paths differ in their beginning, which is faster than a look-up.
    if (!path.startsWith('/openapi.')) return undefined;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const isOriginal = new URLSearchParams(query).has('original');
    return responses.get(isOriginal ? `${path}?original` : path)?.();
  };
};

/** A request while it is served. */
interface RequestContext {
  readonly exchange: Exchange;
  /** Raw, relative to the base path. */
  readonly path: string;
  /** Raw, without `?`. */
  readonly query: string;
  /** The service's, until an operation is reached. */
  writeError: WriteError;
  /** The body, where it is read item by item. */
  items?: BodyItems;
  /** The life of a request whose response is ready. */
  lifetime?: RequestLifetime;
}

/** Does a part of the work on a request, which a tracer may follow. */
const traced = <Result>(
  trace: Trace | undefined,
  name: TracedPart['name'],
  { request, outcome }: Exchange,
  work: () => Promise<Result>,
): Promise<Result> => (trace === undefined ? work() : trace({ name, request, outcome }, work));

/** Calls the handler. A response that is thrown by `fail(status, content)` is answered as if it had been returned. */
const handle = async (
  handler: UntypedHandler,
  request: UntypedRequest,
): Promise<HandlerResponse> => {
  try {
    return await handler(request);
  } catch (error) {
    if (error instanceof ThrownResponse) return error.response;
    throw error;
  }
};

/** Returns the response of a handler, which in programs without types may be anything. */
const requireResponse = (
  response: HandlerResponse | undefined,
  { operationId }: Operation,
): HandlerResponse => {
  if (response && Number.isInteger(response.status)) return response;
  const advice = 'return an object such as { status: 200, body }';
  throw new Error(`${operationId} answered without a status: ${advice}`);
};

/**
 * Writes the response of a handler as the operation declares it.
 * @throws Error where it does not fit; its `responsePointer` is the place in the document
 */
const writeResponse = (
  { responses }: ReturnType<CompileOperation>,
  { operationId, pointer, responses: declarations }: Operation,
  response: HandlerResponse,
  accept: string | undefined,
): HttpResponse => {
  const { status } = response;
  try {
    // A 1xx would leave the caller waiting (RFC 9110 section 15.2).
    const declared = status >= 200 && status < 600 ? responses.find(status) : undefined;
    if (declared !== undefined) return declared.write(response, accept);
    throw new Error(`${operationId} answered ${status}, which is not declared`);
  } catch (error) {
    const isDeclared = declarations.some(({ key }) => key === String(status));
    const place = `${pointer}/responses${isDeclared ? `/${status}` : ''}`;
    throw error instanceof Error ? Object.assign(error, { responsePointer: place }) : error;
  }
};

/** Puts the hooks around a handler. */
const between =
  ({ context, before, after }: HandlerHooks, operation: Operation, handler: UntypedHandler) =>
  async (read: UntypedRequest): Promise<HandlerResponse> => {
    const request =
      context === undefined ? read : { ...read, context: await context(read, read.client.host) };
    if (before !== undefined) await before({ operation, request });
    const response = await handle(handler, request);
    return (after && (await after({ operation, request, response }))) ?? response;
  };

/** Serves a document. */
export class Service {
  readonly operationsWithoutHandler: readonly Operation[];
  readonly handlersWithoutOperation: readonly string[];
  /**
   * Compiles who may make a request, by the rules of an operation, for what is served beside the operations. It rejects with the
   * HttpError that the caller gets.
   */
  readonly compileSecurity: ReturnType<typeof securityCompiler>;
  readonly #document: ApiDocument;
  readonly #options: SettledOptions;
  /** Undefined where there are none. */
  readonly #hooks: HandlerHooks | undefined;
  /** Answers requests for the document itself, and those that go before its paths. */
  readonly #answerFirst: PathResponses;
  readonly #routeOperation: (
    method: string,
    path: string,
    context: RequestContext,
  ) => Promise<HttpResponse>;
  readonly #compile: CompileOperation;
  /** Writes the failures of requests that reach no operation. */
  readonly #writeError: WriteError;
  /** The operations that are compiled as a whole. */
  readonly #prepared = new Set<Operation>();
  /** The work of handlers that waits for no request any more. */
  readonly #afterwards = new Set<Promise<void>>();

  constructor(document: ApiDocument, options: SettledOptions) {
    const { tools, validateResponses, handlers, answerFirst } = options;
    const { operations } = document;
    const served = handlersByOperation(operations, handlers);
    this.operationsWithoutHandler = operations.filter((operation) => !served.has(operation));
    const ids = new Set(operations.map(({ operationId }) => operationId));
    this.handlersWithoutOperation = [...handlers.keys()].filter((id) => !ids.has(id));
    this.compileSecurity = securityCompiler(document, options);
    this.#document = document;
    this.#options = options;
    this.#hooks = options.context || options.before || options.after ? options : undefined;
    const documentAt = documentResponses(document);
    this.#answerFirst =
      answerFirst === undefined
        ? documentAt
        : (...request) => answerFirst(...request) ?? documentAt(...request);
    this.#routeOperation = operationRouter<UntypedHandler, RequestContext, HttpResponse>(
      document,
      served,
      {
        operation: (context, match) => this.#serveOperation(context, match),
        notFound({ exchange, path, query }) {
          const { method, headers } = exchange.request;
          return options.answerLast?.(method, path, query, headers.accept) ?? exchange.passOn();
        },
        methodNotAllowed: ({ exchange }, allowed) =>
          otherMethodResponse(exchange.request.method, allowed),
      },
    );
    const responseTools = { ...tools, validateResponses };
    const fallback = fallbackResponses(document, responseTools);
    this.#compile = operationCompiler(document, served, fallback, options);
    const unreached = [...commonErrors(document, responseTools), ...fallback];
    this.#writeError = compileErrors([], responseTools, unreached, { Allow: '' });
  }

  /** Serves a request of any host. Throws nothing, unless the response cannot be sent at all. */
  async serve(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    const { method, target } = request;
    const { path, query } = splitTarget(target);
    const context: RequestContext = { exchange, path, query, writeError: this.#writeError };
    try {
      const first = this.#answerFirst(method, path, query);
      await exchange.send(await (first ?? this.#routeOperation(method, path, context)));
    } catch (error) {
      const { log, errorPage, replaceError } = this.#options;
      const { writeError } = context;
      await sendFailure(exchange, error, { log, errorPage, replaceError, writeError });
    } finally {
      context.items?.end();
      this.#options.bodies.release(request);
      const works = context.lifetime?.take() ?? [];
      if (works.length > 0) this.#doAfter(works, exchange);
    }
  }

  #doAfter(works: readonly (() => unknown)[], { requestId, outcome }: Exchange): void {
    const operation = outcome.operation?.operationId;
    const doAll = async (): Promise<void> => {
      for (const work of works) {
        try {
          await work();
        } catch (err) {
          const fields = { requestId, operation, err };
          this.#options.log.error(fields, 'Work after the response failed');
        }
      }
    };
    const done = doAll().finally(() => this.#afterwards.delete(done));
    this.#afterwards.add(done);
  }

  /** Resolves when the work of handlers is done that waited for responses which have been sent. */
  async settled(): Promise<void> {
    while (this.#afterwards.size > 0) await Promise.all(this.#afterwards);
  }

  /** Runs the steps. Authorization precedes all reading, so that a malformed request tells its sender nothing about the operation. */
  async #serveOperation(
    context: RequestContext,
    { operation, path, handler }: Match<UntypedHandler>,
  ): Promise<HttpResponse> {
    const { trace, log } = this.#options;
    const { exchange, query } = context;
    const step: ServiceLog['step'] =
      log.step &&
      ((fields, message) => log.step?.({ requestId: exchange.requestId, ...fields }, message));
    const { request, outcome } = exchange;
    const { headers } = request;
    const { operationId, invalidReason } = operation;
    outcome.operation = operation;
    if (invalidReason !== undefined) {
      context.writeError = markedErrors(deprecationMarker(operation), this.#writeError);
      throw new HttpError(501, 'not-implemented', invalidReason);
    }
    const compiled = this.#compile(operation);
    const { authorize, conditions, responses, mark, fail, notImplemented } = compiled;
    outcome.route = compiled.route;
    context.writeError = compiled.writeError;
    const client = new RequestInfo(exchange, query);
    step?.({ operation: operationId, template: operation.path }, 'Operation found');
    const principal = await traced(trace, 'authorization', exchange, () => authorize(client, path));
    outcome.caller = principal;
    step?.({ caller: principal?.subject }, 'Request authorized');
    if (!this.#prepared.has(operation)) await this.#prepare(operation);
    if (handler === undefined) throw notImplemented();
    if (!responses.acceptable(headers.accept)) {
      const message = `The Accept header must allow one of ${responses.mediaTypes.join(', ')}`;
      throw new HttpError(406, 'not-acceptable', message);
    }
    step?.({ accept: headers.accept, offered: responses.mediaTypes }, 'Response can be written');
    const precondition = conditions.precondition(headers);
    const { parameters, body } = await traced(trace, 'validation', exchange, () =>
      readInput(compiled, request, { path, query, headers }, step),
    );
    const [querystring] = Object.values(parameters.querystring);
    if (body instanceof BodyItems) context.items = body;
    const lifetime = new RequestLifetime();
    const handled: UntypedRequest = {
      path: parameters.path,
      query: parameters.query,
      querystring,
      header: parameters.header,
      cookie: parameters.cookie,
      body,
      principal,
      context: undefined,
      client,
      fileInfo,
      describePart,
      precondition,
      log: new RequestLog(log, exchange),
      lifetime,
      fail,
      notImplemented,
    };
    const called = this.#hooks === undefined ? handler : between(this.#hooks, operation, handler);
    const answer = await traced(trace, 'handler', exchange, () => handle(called, handled));
    const response = requireResponse(answer, operation);
    step?.({ status: response.status }, 'Handler answered');
    const written = conditions.answer(
      writeResponse(compiled, operation, response, headers.accept),
      headers,
    );
    step?.({ mediaType: written.headers['Content-Type'] }, 'Response written');
    context.lifetime = lifetime;
    return mark === undefined ? written : mark(written);
  }

  /** Compiles an operation in steps: a large one would block all other requests. */
  readonly #prepare = memoize(async (operation: Operation): Promise<void> => {
    await mapInSteps(compileSteps(operation, this.#compile), () => undefined);
    this.#prepared.add(operation);
  });

  /** Writes an error as the operation declares it, or as the document does where no operation was reached. */
  writeError(operation: Operation | undefined, ...error: Parameters<WriteError>): HttpResponse {
    const write = operation === undefined ? this.#writeError : this.#compile(operation).writeError;
    return write(...error);
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
      yield* compileSteps(operation, this.#compile);
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
