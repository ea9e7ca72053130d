/** The engine's one entry for other programs: a document, handlers and security handlers become a request listener. */

import { describeDiagnostic } from '../document/diagnostics/diagnostic';
import type { ClientOf } from '../http/caller';
import type { ServiceLog } from '../http/failure';
import { bodyMemory } from '../http/request';
import { loadApiDocument } from './document/api-document';
import type { Codec } from './media-types/codec/codec';
import { schemaContext } from './media-types/schema-context';
import type { MemoryOptions } from './memory/memory';
import type { UntypedHandler } from './operation/handler';
import { type OpenApiService, openApiService } from './operation/service';
import type { SecurityHandlers } from './security/security-handlers';
import { unverifiedSchemes } from './security/security-schemes';

/** A handler of any operation: `Handlers<PetOperations>` of the generated types fits. */
type AnyHandlers = Readonly<Record<string, (request: never) => unknown>>;

/**
 * The options of `openApiRouter`; the defaults suit production.
 * @example { mocks: true, maxBodyBytes: 100_000 }
 */
export interface RouterOptions {
  /** Values for `{NAME}` in the document's text, such as `auth_url`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Bytes that a document or form may have: 1 MiB. */
  readonly maxBodyBytes?: number;
  /** Bytes that a binary body may have: 10 MiB. */
  readonly maxUploadBytes?: number;
  /** Names that one object, element or form of a body may have: 1,000. */
  readonly maxBodyNames?: number;
  /** Bytes that all bodies together may hold: 64 MiB. */
  readonly maxBodiesBytes?: number;
  /** True: each response is checked against the document before it is sent. Default: false. */
  readonly validateResponses?: boolean;
  /** True: an operation without a handler responds with a mock made from the document. Default: false, it answers 501. */
  readonly mocks?: boolean;
  /** The memory of mocks, which act on the resources of the document: the seed of their first items, and the file that keeps them. */
  readonly memory?: MemoryOptions | false;
  /** Formats of messages beside the engine's JSON, XML, forms, plain text, JSON Lines and YAML: none. */
  readonly codecs?: readonly Codec[];
  /** Finds the client of a request, behind proxies for instance: the peer of its connection. */
  readonly clientOf?: ClientOf;
  /** The log for problems of the document and of the server: standard error. */
  readonly log?: ServiceLog;
}

const mebibyte = 1024 * 1024;

const consoleLog: ServiceLog = {
  error: (fields, message) => console.error(message, fields),
};

const byOperationId = (handlers: AnyHandlers): ReadonlyMap<string, UntypedHandler> =>
  new Map(
    Object.entries<unknown>(handlers).filter(
      (entry): entry is [string, UntypedHandler] => typeof entry[1] === 'function',
    ),
  );

/**
 * Makes the listener that serves a document: its operations, and the document itself at `/openapi.json` and `/openapi.yaml`. An
 * operation without a handler answers 501, or a mock if the options say so.
 *
 * It works on the messages of node:http. In Express, mount it at the path of the document's first server URL:
 * `app.use('/v1', router)`. Without Express, `createServer(router)` serves a document whose URL has no path; for any other URL, first
 * remove the path from `request.url`.
 *
 * @param file path of the OpenAPI document, YAML or JSON
 * @param handlers by operationId
 * @param securityHandlers find the owners of credentials; a security scheme without its security handler refuses every request
 * @throws Error if the document cannot be loaded at all; lesser problems are logged
 * @example createServer(await openApiRouter('shop.yaml', { getItem: () => ({ status: 200, body: { id: 7 } }) }))
 */
export const openApiRouter = async (
  file: string,
  handlers: AnyHandlers,
  securityHandlers: SecurityHandlers = {},
  options: RouterOptions = {},
): Promise<OpenApiService> => {
  const { variables = {}, codecs = [], log = consoleLog } = options;
  const document = await loadApiDocument(file, { variables: () => variables, codecs });
  const unverified = unverifiedSchemes(document, securityHandlers).map(document.locate);
  for (const problem of [...document.diagnostics, ...unverified])
    log.error({}, describeDiagnostic(problem));
  const service = openApiService(document, {
    handlers: byOperationId(handlers),
    securityHandlers,
    tools: schemaContext(document),
    maxBodyBytes: options.maxBodyBytes ?? mebibyte,
    maxUploadBytes: options.maxUploadBytes ?? 10 * mebibyte,
    maxBodyNames: options.maxBodyNames,
    bodies: bodyMemory(options.maxBodiesBytes ?? 64 * mebibyte),
    validateResponses: options.validateResponses ?? false,
    mocks: options.mocks ?? false,
    memory: options.memory,
    log,
    clientOf: options.clientOf,
  });
  for (const operationId of service.handlersWithoutOperation) {
    log.error({ operationId }, `The document has no operation for the handler ${operationId}`);
  }
  return service;
};
