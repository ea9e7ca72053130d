/** The engine's public face: an OpenAPI document made to act. Nothing else of the engine is imported from outside. */

export type { Principal } from '../http/caller';
export { HttpError } from '../http/http-error';
export { type ApiDocument, loadApiDocument, parseApiDocument } from './document/api-document';
export { type Codec, readerOf } from './media-types/codec/codec';
export { type SerializedItems, type SerializedJson, storedJson } from './media-types/json/json';
export { type SchemaContext, schemaContext } from './media-types/schema-context';
export { itemsOf } from './media-types/sequences/sequence-formats';
export { exampleProblems } from './mock/example-errors';
export { openApiRouter, type RouterOptions } from './openapi-router';
export type { Handlers, UntypedHandler } from './operation/handler';
export { openApiService } from './operation/service';
export { compileReadParameters } from './parameters/parameters';
export { routeTable } from './paths/route-table';
export { defaultErrors } from './responses/error-response';
export { mockCredentials } from './security/mock-credentials';
export type { SecurityHandlers } from './security/security-handlers';
export { unverifiedSchemes } from './security/security-schemes';
