/** Compiles each operation of a document at its first request: security, parameters, body, responses, handler or mock. */

import type { ApiDocument } from '../document/document';
import type { Operation } from '../document/model/operation';
import type { SchemaContext } from '../document/model/schema-context';
import { mockOf } from '../mock/mock-of';
import { compileParameterCheck } from '../parameters/parameter-check';
import { allowedMethods } from '../paths/operation-router';
import { type BodyTools, compileBody } from '../request-body/body';
import { bytesReader } from '../request-body/body-bytes';
import { declaredError } from '../responses/error-mapping';
import { compileErrors, fallbackResponses, type WriteError } from '../responses/error-response';
import type { ResponseContext } from '../responses/response-check';
import { type CompiledResponses, compileResponses } from '../responses/responses';
import { compileSecurity } from '../security/security';
import type { SecurityHandlers } from '../security/security-handlers';
import type { CompiledOperation, HandleRequest, UntypedHandler } from './serve-operation';

/** What a document's operations are compiled with. */
export interface OperationOptions {
  /** By operationId. An operation without one answers 501, or a mock. */
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  /** Whether an operation without a handler answers its success, made from the document. */
  readonly mocks?: boolean;
  readonly verifiers: SecurityHandlers;
  readonly tools: SchemaContext;
  /** Bytes that a document or form may have. */
  readonly maxBodyBytes: number;
  /** Bytes that a binary body may have. */
  readonly maxUploadBytes: number;
  /** Whether each answer is checked against the document before it is sent. */
  readonly validateResponses: boolean;
}

/** Everything that one operation needs, worked out at its first request. */
export interface Served {
  readonly compiled: CompiledOperation;
  readonly writeError: WriteError;
}

/** Compiles an operation at the first call. */
export type CompileOperation = (operation: Operation) => Served;

/** Makes the compiler of a document's operations. */
export const operationCompiler = (
  document: ApiDocument,
  options: OperationOptions,
): CompileOperation => {
  const { definition, references, name } = document;
  const { shapeOf, validators } = options.tools;
  const security = { definition, references, verifiers: options.verifiers, realm: name };
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
  const fallback = fallbackResponses(document, responseTools);
  const served = new Map<Operation, Served>();
  // An operationId that stands twice names the first of its operations (OAS 3.0.3, Operation Object).
  const isFirst = (operation: Operation): boolean =>
    operation ===
    document.operations.find(({ operationId }) => operationId === operation.operationId);
  const handlerOf = (
    operation: Operation,
    responses: CompiledResponses,
  ): HandleRequest | undefined => {
    const handler = isFirst(operation) ? options.handlers.get(operation.operationId) : undefined;
    if (handler !== undefined || options.mocks !== true) return handler;
    const mock = mockOf(operation, responses, options.tools);
    return (_, headers) => mock(headers);
  };
  const compile = (operation: Operation): Served => {
    const responses = compileResponses(operation.responses, responseTools);
    const allow = allowedMethods(document.operations.filter(({ path }) => path === operation.path));
    return {
      compiled: {
        authorize: compileSecurity(operation, security),
        readParameters: compileParameterCheck(operation, shapeOf, validators),
        readBody: compileBody(operation, bodyTools),
        responses,
        fail: declaredError(operation.operationId, operation.responses),
        handler: handlerOf(operation, responses),
      },
      writeError: compileErrors(operation.responses, responses, fallback, allow),
    };
  };
  return (operation) => {
    const known = served.get(operation) ?? compile(operation);
    served.set(operation, known);
    return known;
  };
};
