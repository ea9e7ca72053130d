/** Compiles each operation of a document at its first request: security, parameters, body, responses. */

import { memoize } from '../../base/memoize';
import { readLimits } from '../../base/read-limits';
import { attempt } from '../../base/recover';
import type { WriteError } from '../../http/failure';
import { HttpError } from '../../http/http-error';
import { keyNamesOf } from '../../model/document';
import type { Operation } from '../../model/operation';
import type { Shape, ShapeOf } from '../../schema/shape';
import type { ApiDocument } from '../document/api-document';
import { compileReadParameters, type ReadParameters } from '../parameters/parameters';
import { allowHeaders } from '../paths/operation-router';
import { compileBody, type ReadBody } from '../request-body/body';
import { compileErrors, declaredError, type ErrorFallback } from '../responses/error-response';
import { type CompiledResponses, compileResponses } from '../responses/response';
import { type Authorize, compileSecurity, type SecuredOperation } from '../security/security';
import type { UntypedHandler, UntypedRequest } from './handler';
import type { ServiceOptions, SettledOptions } from './service-options';

/** One operation, as the functions of the steps of a request. */
export interface CompiledOperation {
  /** The path of the document behind the base path: `/v1/items/{id}`. */
  readonly route: string;
  readonly authorize: Authorize;
  readonly readParameters: ReadParameters;
  /** Undefined if bodies have no meaning. */
  readonly readBody: ReadBody | undefined;
  readonly responses: CompiledResponses;
  readonly fail: UntypedRequest['fail'];
  readonly notImplemented: UntypedRequest['notImplemented'];
  readonly writeError: WriteError;
  /** Warm-up functions. */
  readonly firstUses: () => readonly (() => unknown)[];
}

export type CompileOperation = (operation: Operation) => CompiledOperation;

/** Makes shapes without defaults, by which a reader leaves absent members of a patch absent. */
const withoutDefaults = (shapeOf: ShapeOf): ShapeOf => {
  const bare = memoize(
    (shape: Shape): Shape => ({
      ...shape,
      defaultValue: undefined,
      get properties() {
        return new Map([...shape.properties].map(([name, property]) => [name, bare(property)]));
      },
      get alternatives() {
        return shape.alternatives.map((alternative) => ({
          ...alternative,
          shape: bare(alternative.shape),
        }));
      },
    }),
  );
  return (schema) => bare(shapeOf(schema));
};

/** Makes the compiler of who may make a request, by the security schemes of a document. */
export const securityCompiler = (
  { securitySchemes, name: realm }: ApiDocument,
  { securityHandlers, signInUrl, signInProblem, log: { step } }: ServiceOptions,
): ((secured: SecuredOperation) => Authorize) => {
  const context = { securitySchemes, securityHandlers, realm, signInUrl, signInProblem, step };
  return (secured) => compileSecurity(secured, context);
};

/**
 * Makes the compiler of a document's operations; each is compiled at its first request.
 * @param handlerOf finds the handler of an operation
 * @param fallback writes the failures that an operation does not declare
 */
export const operationCompiler = (
  document: ApiDocument,
  handlerOf: (operation: Operation) => UntypedHandler | undefined,
  fallback: ErrorFallback,
  options: SettledOptions,
): CompileOperation => {
  const { securitySchemes } = document;
  const { tools, validateResponses, stopping, bodies, maxBodyNames } = options;
  const authorize = securityCompiler(document, options);
  const responseTools = { ...tools, validateResponses, stopping };
  const sizes = {
    text: { limit: options.maxBodyBytes, memory: bodies },
    upload: { limit: options.maxUploadBytes, memory: bodies },
    limits: { ...readLimits, ...(maxBodyNames && { names: maxBodyNames }) },
  };
  const patchTools = { ...tools, shapeOf: withoutDefaults(tools.shapeOf) };
  return memoize((operation: Operation): CompiledOperation => {
    const allowed = allowHeaders(document.operations.filter(({ path }) => path === operation.path));
    const responses = compileResponses(operation.responses, responseTools, allowed);
    const handler = handlerOf(operation);
    return {
      route: document.basePath + operation.path,
      authorize: authorize(operation),
      readParameters: compileReadParameters(operation.parameters, tools, (location) =>
        keyNamesOf(operation, securitySchemes, location),
      ),
      readBody: compileBody(operation, sizes, handler?.takesPatches?.() ? patchTools : tools),
      responses,
      fail: declaredError(operation.operationId, operation.responses, validateResponses),
      notImplemented: () =>
        new HttpError(501, 'not-implemented', `${operation.operationId} is not implemented`),
      writeError: compileErrors(operation.responses, responseTools, fallback, allowed),
      firstUses: () => [
        ...responses.all().map((response) => () => response.prepare()),
        () => handler?.prepare?.(),
      ],
    };
  });
};

/**
 * Compiles an operation and what it uses, in steps of some milliseconds each. A step that fails is passed over: the request that
 * needs it fails in the same way.
 */
export function* compileSteps(operation: Operation, compile: CompileOperation): Generator<void> {
  if (operation.invalidReason !== undefined) return;
  const firstUses = attempt(() => compile(operation).firstUses()) ?? [];
  yield;
  for (const use of firstUses) {
    attempt(use);
    yield;
  }
}
