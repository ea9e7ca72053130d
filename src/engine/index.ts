/** The engine's public face: an OpenAPI document made to act. Nothing else of the engine is imported from outside. */

export { type ApiDocument, loadApiDocument, parseApiDocument } from './document/document';
export type {
  MediaType,
  Operation,
  Parameter,
  ParameterLocation,
  RequestBody,
  ResponseRecord,
  SecurityRequirement,
} from './document/model/operation';
export { describeProblem, type Problem } from './document/problems/problem';
export { type RuleName, ruleDescriptions } from './document/problems/rule-names';
export type { References } from './document/references/references';
export { type SchemaTools, schemaTools } from './document/schema-tools';
export { uriOf } from './document/source/source-files';
export { UnreadableDocument } from './document/source/source-text';
export { documentObjects } from './document/structure/document-objects';
export { asHttpError } from './http/as-http-error';
export { bodyAnnounced } from './http/body-announced';
export { FetchFailure, fetchBounded } from './http/fetch-bounded';
export { HttpError } from './http/http-error';
export { methodNotAllowed, otherMethodAnswer } from './http/other-methods';
export { originForm, splitTarget } from './http/request-target';
export { type Answer, send } from './http/send';
export { type Awaitable, orElse, whenReady } from './lang/awaitable';
export { type Kept, type KeptItems, kept, keptItems } from './media-types/codec/kept';
export { contentCodec } from './media-types/content-codec';
export { jsonCodec, writtenJsonReader } from './media-types/json/json';
export { jsonWriter } from './media-types/json/json-writer';
export { exampleProblems } from './mock/examples/example-problems';
export { mockHeader } from './mock/mock-of';
export { typedValue } from './mock/samples/given-values';
export { openApiRouter, type RouterOptions } from './openapi-router';
export type { UntypedHandler } from './operation/exchange';
export type { Handlers } from './operation/handler';
export { openApiService, type ServiceLog } from './operation/service';
export { allowedMethods } from './paths/operation-router';
export { routeTable } from './paths/route-table';
export { ownErrors } from './responses/error-answer';
export { scalarReader } from './schema/scalars';
export type { Shape } from './schema/shape';
export type { Caller, ClientFacts } from './security/caller';
export type { VerifierRequest, Verifiers, Verify } from './security/verifier';
