/** The engine's public face: an OpenAPI document made to act. Nothing else of the engine is imported from outside. */

export { type ApiDocument, loadApiDocument, parseApiDocument } from './document/api-document';
export { type Codec, readerOf } from './media-types/codec/codec';
export type { SerializedItems } from './media-types/json/json';
export { jsonWriter, SerializedJson, storedJson } from './media-types/json/json';
export { type SchemaContext, schemaContext } from './media-types/schema-context';
export { isPositional } from './media-types/sequences/multipart-sequence';
export { itemsOf } from './media-types/sequences/sequence-formats';
export type { Handlers, UntypedHandler } from './operation/handler';
export { openApiService } from './operation/service';
export type { ServiceOptions } from './operation/service-options';
export { compileReadParameters } from './parameters/parameters';
export { routeTable } from './paths/operation-router';
export { errorProblems } from './responses/error-body';
export { defaultErrors } from './responses/error-response';
export { responseOffers } from './responses/offers';
export { compileResponse } from './responses/response';
export { compileHeader } from './responses/response-headers';
export type { SecurityHandlers } from './security/credentials';
export { unverifiedSchemes } from './security/security-schemes';
