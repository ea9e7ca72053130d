/** The engine's public face: an OpenAPI document made to act. Nothing else of the engine is imported from outside. */

export type {
  MediaType,
  Operation,
  Parameter,
  ParameterLocation,
  RequestBody,
  Response,
  SecurityRequirement,
} from '../model/operation';
export { definitionJson, definitionJsonParts } from './document/bundle/write-definition';
export {
  type Diagnostic,
  describeDiagnostic,
  ruleDescriptions,
} from './document/diagnostics/diagnostic';
export { type ApiDocument, loadApiDocument, parseApiDocument } from './document/document';
export { type SchemaContext, schemaContext } from './document/model/schema-context';
export { serverPath } from './document/model/templates';
export type { References } from './document/references/references';
export { numberText } from './document/source/exact-numbers';
export { uriOf } from './document/source/source-files';
export { UnreadableDocument } from './document/source/source-text';
export { documentObjects } from './document/structure/positions';
export { FetchFailure, fetchBounded } from './http/fetch-bounded';
export {
  asHttpError,
  HttpError,
  methodNotAllowed,
  otherMethodResponse,
  reasonsOf,
} from './http/http-error';
export {
  concreteMediaType,
  mediaTypeMatcher,
  negotiator,
  type ParsedMediaType,
  parseMediaType,
} from './http/media-type';
export {
  type BodyMemory,
  bodyAnnounced,
  bodyMemory,
  isSafeMethod,
  originForm,
  splitTarget,
} from './http/request';
export { type HttpResponse, identify, requestIdHeader, requestIdOf, send } from './http/send';
export {
  type Codec,
  findForbiddenCharacter,
  type ReadLimits,
  readerOf,
  tooManyNames,
  type Writer,
} from './media-types/codec/codec';
export {
  jsonWriter,
  type SerializedItems,
  type SerializedJson,
  serialized,
  serializedItems,
  serializedJsonReader,
  writeJson,
} from './media-types/json/json';
export { exampleProblems } from './mock/example-errors';
export { mockHeader } from './mock/mock';
export {
  allowsNull,
  choicesOf,
  declaredNames,
  enumeratedValues,
  impliedType,
  keywordValues,
  planOf,
  propertySchemas,
  type SamplePlan,
  typedValue,
  wholeSchema,
} from './mock/samples/sample-plan';
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
export { scalarReader, writeScalar } from './schema/scalars';
export type { Direction, Shape } from './schema/shape';
export { escapeAttribute, escapeText } from './schema/xml-object';
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
