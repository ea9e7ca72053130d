/** The public face of the package `spec-first`: the engine, and mocks where they are asked for. */

export {
  type ApiDocument,
  type Codec,
  compileReadParameters,
  defaultErrors,
  type Handlers,
  itemsOf,
  loadApiDocument,
  openApiService,
  parseApiDocument,
  readerOf,
  routeTable,
  type SchemaContext,
  type SecurityHandlers,
  type SerializedItems,
  type SerializedJson,
  schemaContext,
  storedJson,
  type UntypedHandler,
  unverifiedSchemes,
} from '../engine';
export type { Principal } from '../http/caller';
export { HttpError } from '../http/http-error';
export { exampleProblems, mockCredentials } from '../mock';
export { openApiWebhooks, type WebhookMessage, type WriteWebhook } from '../requests/webhooks';
export { openApiRouter, type RouterOptions } from './openapi-router';
