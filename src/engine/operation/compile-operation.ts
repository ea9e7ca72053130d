/** Compiles each operation of a document at its first request: security, parameters, body, responses, handler or mock. */

import type { IncomingHttpHeaders } from 'node:http';
import type { ApiDocument } from '../document/document';
import type { Operation } from '../document/model/operation';
import type { SchemaContext } from '../document/model/schema-context';
import type { MaybePromise } from '../lang/maybe-promise';
import { mockOf } from '../mock/mock-of';
import { compileParameterCheck, type ReadParameters } from '../parameters/parameter-check';
import { allowedMethods } from '../paths/operation-router';
import { type BodyTools, compileBody, type ReadBody } from '../request-body/body';
import { bytesReader } from '../request-body/body-bytes';
import { declaredError } from '../responses/error-mapping';
import { compileErrors, type ErrorFallback, type WriteError } from '../responses/error-response';
import type { HandlerResponse } from '../responses/response';
import type { ResponseContext } from '../responses/response-check';
import { type CompiledResponses, compileResponses } from '../responses/responses';
import type { Authorize } from '../security/authorize';
import { compileSecurity } from '../security/security';
import type { SecurityHandlers } from '../security/security-handlers';
import type { HandlerRequest, OperationTypes, UntypedHandler } from './handler';

/** What a document's operations are compiled with. */
export interface OperationOptions {
  /** Whether an operation without a handler responds with its success, made from the document. */
  readonly mocks?: boolean;
  readonly securityHandlers: SecurityHandlers;
  readonly tools: SchemaContext;
  /** Bytes that a document or form may have. */
  readonly maxBodyBytes: number;
  /** Bytes that a binary body may have. */
  readonly maxUploadBytes: number;
  /** Whether each response is checked against the document before it is sent. */
  readonly validateResponses: boolean;
}

/** What serves a request that has been read: a handler, or a mock, which looks at the headers. */
export type HandleRequest = (
  request: HandlerRequest<OperationTypes>,
  headers: IncomingHttpHeaders,
) => MaybePromise<HandlerResponse>;

/** What one operation does at each step of a request. */
export interface CompiledOperation {
  readonly authorize: Authorize;
  readonly readParameters: ReadParameters;
  readonly readBody: ReadBody;
  readonly responses: CompiledResponses;
  readonly fail: HandlerRequest<OperationTypes>['fail'];
  /** Undefined: not implemented. */
  readonly handler: HandleRequest | undefined;
  readonly writeError: WriteError;
}

/** Compiles an operation at the first call. */
export type CompileOperation = (operation: Operation) => CompiledOperation;

/**
 * Makes the compiler of a document's operations.
 * @param fallback what writes the failures that an operation does not declare
 */
export const operationCompiler = (
  document: ApiDocument,
  handlers: ReadonlyMap<Operation, UntypedHandler>,
  fallback: ErrorFallback,
  options: OperationOptions,
): CompileOperation => {
  const { definition, references, name } = document;
  const { shapeOf, validators } = options.tools;
  const security = {
    definition,
    references,
    securityHandlers: options.securityHandlers,
    realm: name,
  };
  const responseTools: ResponseContext = {
    shapeOf,
    validators,
    validateResponses: options.validateResponses,
  };
  const bodyTools: BodyTools = {
    shapeOf,
    validators,
    references,
    readText: bytesReader(options.maxBodyBytes),
    readUpload: bytesReader(options.maxUploadBytes),
  };
  const known = new Map<Operation, CompiledOperation>();
  const handlerOf = (
    operation: Operation,
    responses: CompiledResponses,
  ): HandleRequest | undefined => {
    const handler = handlers.get(operation);
    if (handler !== undefined || options.mocks !== true) return handler;
    const mock = mockOf(operation, responses, options.tools);
    return (_, headers) => mock(headers);
  };
  const compile = (operation: Operation): CompiledOperation => {
    const responses = compileResponses(operation.responses, responseTools);
    const allow = allowedMethods(document.operations.filter(({ path }) => path === operation.path));
    return {
      authorize: compileSecurity(operation, security),
      readParameters: compileParameterCheck(operation, shapeOf, validators),
      readBody: compileBody(operation, bodyTools),
      responses,
      fail: declaredError(operation.operationId, operation.responses),
      handler: handlerOf(operation, responses),
      writeError: compileErrors(operation.responses, responseTools, fallback, allow),
    };
  };
  return (operation) => {
    const compiled = known.get(operation) ?? compile(operation);
    known.set(operation, compiled);
    return compiled;
  };
};
