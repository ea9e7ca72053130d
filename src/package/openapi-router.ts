/** The package's main entry: a document, handlers and security handlers become a request listener. */

import type { IncomingMessage, RequestListener } from 'node:http';
import { requireKnownNames } from '../base/text/nearest-name';
import { type Diagnostic, describeDiagnostic } from '../document/diagnostics/diagnostic';
import {
  type ApiDocument,
  type Codec,
  loadApiDocument,
  openApiService,
  type SecurityHandlers,
  type ServiceOptions,
  schemaContext,
  type UntypedHandler,
  unverifiedSchemes,
} from '../engine';
import { type ClientOf, handlerKinds } from '../http/caller';
import { giveUp, NodeExchange, type ServiceLog } from '../http/exchange';
import { bodyMemory, targetBelow } from '../http/request';
import { type MemoryOptions, type MockOptions, openMocks } from '../mock';
import { type Operation, requestMethod } from '../model/operation';
import type { CustomFormats } from '../schema/validation/checks/formats';
import { docsResponses } from './docs/docs-page';

/** A handler of any operation: `Handlers<PetOperations>` of the generated types fits. */
export type AnyHandlers = Readonly<Record<string, (request: never) => unknown>>;

/** The context that handlers expect; unknown where they say nothing of it. */
export type ContextOf<Written extends AnyHandlers> = [ExpectedContext<Written>] extends [never]
  ? unknown
  : ExpectedContext<Written>;

type ExpectedContext<Written extends AnyHandlers> = {
  [Id in keyof Written]: Parameters<Written[Id]>[0] extends { readonly context: infer Context }
    ? Context
    : never;
}[keyof Written];

/**
 * The options of `openApiRouter`; the defaults suit production.
 * @example { mocks: true, maxBodyBytes: 100_000 }
 */
export interface RouterOptions<Context = unknown>
  extends Omit<
    ServiceOptions,
    | 'handlers'
    | 'securityHandlers'
    | 'signInUrl'
    | 'signInProblem'
    | 'tools'
    | 'bodies'
    | 'answerFirst'
    | 'answerLast'
    | 'errorPage'
    | 'context'
    | 'log'
  > {
  /**
   * Makes the `context` that hooks and handlers get of the request: read, valid, and with its `principal`.
   * @param host the request as its host has it: that of node:http or Express, of Fastify or Hono
   */
  context?(
    ...given: Parameters<NonNullable<ServiceOptions['context']>>
  ): Context | Promise<Context>;
  /** Values for `{NAME}` in the document's text, such as `auth_url`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Bytes that all bodies together may hold: 64 MiB. */
  readonly maxBodiesBytes?: number;
  /** True: an operation without a handler responds with a mock made from the document, perhaps late or by a failure. Default: false, it answers 501. */
  readonly mocks?: boolean | MockOptions;
  /** The memory of mocks, which act on the resources of the document until the process ends: the seed of their first items. */
  readonly memory?: MemoryOptions | false;
  /**
   * True: a page at `docs/` documents the operations and tries them out, and `docs.md` documents them as Markdown; examples have the URL
   * that `url` gives, or else that of the document. Default: false.
   */
  readonly docs?: boolean | { readonly url: () => string };
  /** Formats of messages beside the engine's JSON, XML, forms, plain text, JSON Lines and YAML: none. */
  readonly codecs?: readonly Codec[];
  /** Tests of the formats of texts, beside those of JSON Schema and OpenAPI, or in their place: none. */
  readonly formats?: CustomFormats;
  /** Finds the client of a request, behind proxies for instance: the peer of its connection. */
  readonly clientOf?: ClientOf;
  /** The log for problems of the document and of the server: standard error. */
  readonly log?: ServiceLog;
}

const consoleLog: ServiceLog = { error: (fields, message) => console.error(message, fields) };

/** The names of the options; the compiler finds one that is missing. */
const optionNames: Readonly<Record<keyof RouterOptions, true>> = {
  ...{ variables: true, maxBodyBytes: true, maxUploadBytes: true, maxBodyNames: true },
  ...{ maxBodiesBytes: true, validateResponses: true, mocks: true, memory: true, docs: true },
  ...{ context: true, before: true, after: true, formats: true, trace: true },
  ...{ replaceError: true, stopping: true, codecs: true, clientOf: true, log: true },
};

/**
 * Throws where an option is not known, which programs without types would take for one that has an effect.
 * @param further the names that the host has beside those of all
 */
export const requireKnownOptions = (given: object, further: readonly string[] = []): void =>
  requireKnownNames(Object.keys(given), [...Object.keys(optionNames), ...further], 'option');

/** Throws where a program without types gives what the engine cannot use: a limit that is no number would be no limit. */
const requireUsable = (document: unknown, options: RouterOptions): void => {
  const isLoaded = typeof document === 'object' && document !== null && 'operations' in document;
  if (typeof document !== 'string' && !isLoaded) {
    throw new TypeError(
      'The document must be a path, or what loadApiDocument or parseApiDocument made',
    );
  }
  const limits = ['maxBodyBytes', 'maxUploadBytes', 'maxBodyNames', 'maxBodiesBytes'] as const;
  for (const name of limits) {
    const limit = options[name];
    if (limit === undefined || (Number.isInteger(limit) && limit >= 0)) continue;
    throw new TypeError(`The option ${name} must be a whole number, not ${String(limit)}`);
  }
};

/** The service of a document, as hosts mount it. */
interface OpenedService
  extends Omit<ReturnType<typeof openApiService>, 'precompile' | 'compileSecurity'> {
  /**
   * Compiles all operations between requests; to be called when the server listens. Without it each operation is compiled at its first
   * use. With mocks, it then finds examples that do not fit their schemas, which takes as long again.
   * @param signal stops it
   * @param report is called with each such example; they are logged if it is left out
   */
  precompile(signal?: AbortSignal, report?: (problem: Diagnostic) => void): Promise<void>;
  /** The path of the document's first server URL, without a trailing slash. */
  readonly basePath: string;
  readonly methods: ReadonlySet<string>;
}

/**
 * Opens the service of a document, for any host.
 * @param document its path, or what `loadApiDocument` or `parseApiDocument` made
 * @throws Error if the document cannot be loaded at all; lesser problems are logged
 */
export const openService = async (
  document: string | ApiDocument,
  handlers: AnyHandlers,
  securityHandlers: SecurityHandlers,
  options: RouterOptions,
): Promise<OpenedService> => {
  const { variables = {}, codecs = [], log = consoleLog, trace } = options;
  requireUsable(document, options);
  const loaded =
    typeof document === 'string'
      ? await loadApiDocument(document, { variables: () => variables, codecs })
      : document;
  const schemes = [...handlerKinds, ...loaded.securitySchemes.keys()];
  requireKnownNames(Object.keys(securityHandlers), schemes, 'security scheme');
  const unverified = unverifiedSchemes(loaded, securityHandlers).map(loaded.locate);
  for (const problem of [...loaded.diagnostics, ...unverified])
    log.error({}, describeDiagnostic(problem));
  const tools = schemaContext(loaded, options.formats);
  const written = new Map(
    Object.entries<unknown>(handlers).filter(
      (entry): entry is [string, UntypedHandler] => typeof entry[1] === 'function',
    ),
  );
  const { mocks: wanted, memory, docs = false } = options;
  const conditions = typeof wanted === 'object' ? wanted : {};
  const mocks = wanted ? openMocks(loaded, written, tools, memory, conditions) : undefined;
  const mocked = new Set(mocks?.operations);
  const isMocked = (operation: Operation) => mocked.has(operation);
  const { url } = typeof docs === 'object' ? docs : { url: undefined };
  const service = openApiService(loaded, {
    ...options,
    ...(mocks ?? { handlers: written }),
    answerLast: docs ? docsResponses({ document: loaded, tools, isMocked, url }) : undefined,
    securityHandlers,
    tools,
    bodies: bodyMemory(options.maxBodiesBytes ?? 64 * 1024 * 1024),
    log,
  });
  for (const operationId of service.handlersWithoutOperation) {
    log.error({ operationId }, `The document has no operation for the handler ${operationId}`);
  }
  return {
    serve(exchange) {
      const { request, outcome } = exchange;
      const work = () => service.serve(exchange);
      return trace === undefined ? work() : trace({ name: 'request', request, outcome }, work);
    },
    writeError: (...failure) => service.writeError(...failure),
    operationsWithoutHandler: mocks?.operations ?? service.operationsWithoutHandler,
    handlersWithoutOperation: service.handlersWithoutOperation,
    async precompile(signal, report = (problem) => log.error({}, describeDiagnostic(problem))) {
      await service.precompile(signal);
      await mocks?.checkExamples(report, signal);
    },
    settled: () => service.settled(),
    basePath: loaded.basePath,
    methods: new Set(loaded.operations.map(({ method }) => requestMethod(method))),
  };
};

/** The service of a document at its own path, as a listener of node:http; see `openApiRouter`. */
export type OpenApiRouter = RequestListener & OpenedService;

/**
 * Makes the listener that serves a document at the path of its first server URL: its operations, and the document itself at
 * `/openapi.json` and `/openapi.yaml`. An operation without a handler answers 501, or a mock if the options say so.
 *
 * It works on the messages of node:http. In Express, mount it at any path: `app.use('/v1', router)`.
 *
 * @param document its path (YAML or JSON), or what `loadApiDocument` or `parseApiDocument` made
 * @param handlers by operationId
 * @param securityHandlers find the owners of credentials; a security scheme without its security handler refuses every request
 * @throws Error if the document cannot be loaded at all; lesser problems are logged
 * @example createServer(await openApiRouter('shop.yaml', { getItem: () => ({ status: 200, body: { id: 7 } }) }))
 */
export const openApiRouter = async <Written extends AnyHandlers>(
  document: string | ApiDocument,
  handlers: Written,
  securityHandlers: SecurityHandlers = {},
  options: RouterOptions<ContextOf<Written>> = {},
): Promise<OpenApiRouter> => {
  requireKnownOptions(options);
  const service = await openService(document, handlers, securityHandlers, options);
  const listener: RequestListener = (
    request: IncomingMessage & { readonly baseUrl?: string },
    response,
  ) => {
    const { url = '/', baseUrl } = request;
    // Express has removed the path that it mounts a router at. A path outside of the document's has no operation.
    const target = baseUrl ? url : (targetBelow(service.basePath, url) ?? '');
    service
      .serve(new NodeExchange(request, response, { clientOf: options.clientOf, target }))
      .catch(giveUp(response));
  };
  return Object.assign(listener, service);
};
