/** The engine's one entry for other programs: a document, handlers and verifiers become an Express router. */

import type { RequestHandler } from 'express';
import { describeDiagnostic } from './document/diagnostics/diagnostic';
import { loadApiDocument } from './document/document';
import { schemaContext } from './document/model/schema-context';
import type { UntypedHandler } from './operation/serve-operation';
import { openApiService, type ServiceLog } from './operation/service';
import type { SecurityHandlers } from './security/security-handlers';

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
  /** Whether each answer is checked against the document before it is sent: false. */
  readonly validateResponses?: boolean;
  /** Whether an operation without a handler answers a mock made from the document: false, it answers 501. */
  readonly mocks?: boolean;
  /** Where faults of the document and of the server are told: standard error. */
  readonly log?: ServiceLog;
}

const mebibyte = 1024 * 1024;

const consoleLog: ServiceLog = {
  error: (fields, message) => console.error(message, fields),
};

const isHandler = (value: unknown): value is UntypedHandler => typeof value === 'function';

const byOperationId = (handlers: AnyHandlers): ReadonlyMap<string, UntypedHandler> =>
  new Map(
    Object.entries<unknown>(handlers).filter((entry): entry is [string, UntypedHandler] =>
      isHandler(entry[1]),
    ),
  );

/**
 * Makes the router of a document. Mount it at the path of the document's first server URL. It serves the operations, and
 * the document itself at `/openapi.json` and `/openapi.yaml`. An operation without a handler answers 501, or a mock where that is asked for.
 *
 * @param file path of the OpenAPI 3.0 document, YAML or JSON
 * @param handlers by operationId
 * @param verifiers who can tell whose a credential is; a security scheme without its verifier lets nobody in
 * @throws Error where the document cannot be loaded at all; lesser faults are told to the log
 */
export const openApiRouter = async (
  file: string,
  handlers: AnyHandlers,
  verifiers: SecurityHandlers = {},
  options: RouterOptions = {},
): Promise<RequestHandler> => {
  const { variables = {}, log = consoleLog } = options;
  const document = await loadApiDocument(file, { variables: () => variables });
  for (const problem of document.diagnostics) log.error({}, describeDiagnostic(problem));
  return openApiService(document, {
    handlers: byOperationId(handlers),
    verifiers,
    tools: schemaContext(document),
    maxBodyBytes: options.maxBodyBytes ?? mebibyte,
    maxUploadBytes: options.maxUploadBytes ?? 10 * mebibyte,
    validateResponses: options.validateResponses ?? false,
    mocks: options.mocks ?? false,
    log,
  });
};
