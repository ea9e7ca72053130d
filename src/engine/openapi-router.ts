/** The engine's one entry for other programs: a document, handlers and security handlers become a request listener. */

import { describeDiagnostic } from './document/diagnostics/diagnostic';
import { loadApiDocument } from './document/document';
import { schemaContext } from './document/model/schema-context';
import { bodyMemory } from './http/body-memory';
import type { UntypedHandler } from './operation/handler';
import type { ServiceLog } from './operation/serve-request';
import { type OpenApiService, openApiService } from './operation/service';
import type { ClientOf, SecurityHandlers } from './security/security-handlers';
import { unverifiedSchemes } from './security/security-schemes';

/** A handler of any operation: `Handlers<PetOperations>` of the generated types fits. */
type AnyHandlers = Readonly<Record<string, (request: never) => unknown>>;

/** What may be set; the defaults suit production. */
export interface RouterOptions {
  /** What stands for `{NAME}` in the document's text, such as `auth_url`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Bytes that a document or form may have: 1 MiB. */
  readonly maxBodyBytes?: number;
  /** Bytes that a binary body may have: 10 MiB. */
  readonly maxUploadBytes?: number;
  /** Names that one object, element or form of a body may have: 1,000. */
  readonly maxBodyNames?: number;
  /** Bytes that all bodies together may hold: 64 MiB. */
  readonly maxBodiesBytes?: number;
  /** Whether each response is checked against the document before it is sent: false. */
  readonly validateResponses?: boolean;
  /** Whether an operation without a handler responds with a mock made from the document: false, it answers 501. */
  readonly mocks?: boolean;
  /** Tells who sent a request, behind proxies for instance: the peer of its connection. */
  readonly clientOf?: ClientOf;
  /** Where problems of the document and of the server are logged: standard error. */
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
 * Makes what serves a document: the operations, and the document itself at `/openapi.json` and `/openapi.yaml`. An operation
 * without a handler answers 501, or a mock where that is asked for.
 *
 * It works on the messages of node:http. In Express, mount it at the path of the document's first server URL:
 * `app.use('/v1', router)`. Without Express, `createServer(router)` serves it where that URL has no path; else take the path
 * from the beginning of `request.url` first.
 *
 * @param file path of the OpenAPI 3.0 document, YAML or JSON
 * @param handlers by operationId
 * @param security handlers who can tell whose a credential is; a security scheme without its security handler refuses every request
 * @throws Error where the document cannot be loaded at all; lesser problems are logged
 */
export const openApiRouter = async (
  file: string,
  handlers: AnyHandlers,
  securityHandlers: SecurityHandlers = {},
  options: RouterOptions = {},
): Promise<OpenApiService> => {
  const { variables = {}, log = consoleLog, clientOf } = options;
  const document = await loadApiDocument(file, { variables: () => variables });
  const unverified = unverifiedSchemes(document, securityHandlers).map(document.locate);
  for (const problem of [...document.diagnostics, ...unverified])
    log.error({}, describeDiagnostic(problem));
  return openApiService(document, {
    handlers: byOperationId(handlers),
    securityHandlers,
    tools: schemaContext(document),
    maxBodyBytes: options.maxBodyBytes ?? mebibyte,
    maxUploadBytes: options.maxUploadBytes ?? 10 * mebibyte,
    ...(options.maxBodyNames !== undefined && { maxBodyNames: options.maxBodyNames }),
    bodies: bodyMemory(options.maxBodiesBytes ?? 64 * mebibyte),
    validateResponses: options.validateResponses ?? false,
    mocks: options.mocks ?? false,
    log,
    ...(clientOf && { clientOf }),
  });
};
