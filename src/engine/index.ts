/** The engine's public face: an OpenAPI document made to act. Nothing else of the engine is imported from outside. */

export { FetchFailure, fetchBounded } from '../base/fetch-bounded';
export { writeJson } from '../base/json/write-json';
export {
  concreteMediaType,
  mediaTypeMatcher,
  negotiator,
  type ParsedMediaType,
  parseMediaType,
} from '../base/media-type';
export { findForbiddenCharacter, type ReadLimits, tooManyNames } from '../base/read-limits';
export { definitionJson } from '../document/bundle/write-definition';
export {
  type Diagnostic,
  describeDiagnostic,
  ruleDescriptions,
} from '../document/diagnostics/diagnostic';
export { serverPath } from '../document/read/templates';
export type { References } from '../document/references/references';
export { numberText } from '../document/source/exact-numbers';
export { uriOf } from '../document/source/source-files';
export { UnreadableDocument } from '../document/source/source-text';
export { documentObjects } from '../document/structure/positions';
export type {
  MediaType,
  Operation,
  Parameter,
  ParameterLocation,
  RequestBody,
  Response,
  SecurityRequirement,
} from '../model/operation';
export { scalarReader, writeScalar } from '../schema/scalars';
export { addMembers } from '../schema/schema-parts';
export type { Direction, Shape } from '../schema/shape';
export { patternCheck } from '../schema/validation/checks/pattern-check';
export { escapeAttribute, escapeText } from '../schema/xml-object';
export { type ApiDocument, loadApiDocument, parseApiDocument } from './document/api-document';
export {
  asHttpError,
  HttpError,
  methodNotAllowed,
  otherMethodResponse,
  reasonsOf,
} from './http/http-error';
export {
  type BodyMemory,
  bodyAnnounced,
  bodyMemory,
  isSafeMethod,
  originForm,
  splitTarget,
} from './http/request';
export { type HttpResponse, identify, requestIdHeader, requestIdOf, send } from './http/send';
export { type Codec, readerOf, type Writer } from './media-types/codec/codec';
export {
  jsonWriter,
  type SerializedItems,
  type SerializedJson,
  serialized,
  serializedItems,
  serializedJsonReader,
} from './media-types/json/json';
export { type SchemaContext, schemaContext } from './media-types/schema-context';
export { exampleProblems } from './mock/example-errors';
export { mockHeader } from './mock/mock';
export { openApiRouter, type RouterOptions } from './openapi-router';
export type { Handlers, UntypedHandler } from './operation/handler';
export {
  callerOf,
  type ErrorPage,
  failureOf,
  operationOf,
  type Routes,
  type ServiceLog,
  sendFailure,
} from './operation/serve-request';
export { openApiService } from './operation/service';
export {
  compileReadParameters,
  type RawParameters,
} from './parameters/parameters';
export { allowedMethods } from './paths/operation-router';
export { routeTable } from './paths/route-table';
export { defaultErrors } from './responses/error-response';
export type {
  ClientInfo,
  ClientOf,
  CredentialRequest,
  Principal,
  SecurityHandler,
  SecurityHandlers,
} from './security/security-handlers';
export {
  unverifiedSchemes,
  type VerifiedSchemes,
} from './security/security-schemes';
