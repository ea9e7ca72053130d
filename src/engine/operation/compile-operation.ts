/** Compiles each operation of a document at its first request: security, parameters, body, responses; and reads a request by it. */

import { requestFuel } from '../../base/fuel';
import { memoize } from '../../base/memoize';
import { readLimits } from '../../base/read-limits';
import { attempt } from '../../base/recover';
import type { ServiceLog } from '../../http/exchange';
import { HttpError, withErrors } from '../../http/http-error';
import type { HttpRequest } from '../../http/request';
import { handledResponses } from '../../model/deprecation';
import { keyNamesOf } from '../../model/document';
import type { Operation } from '../../model/operation';
import type { Shape, ShapeOf } from '../../schema/shape';
import type { ApiDocument } from '../document/api-document';
import { compileReadParameters, type ReadParameters } from '../parameters/parameters';
import { allowHeaders } from '../paths/operation-router';
import { compileBody } from '../request-body/body';
import { BodyItems } from '../request-body/body-items';
import { conditionsOf } from '../responses/conditions';
import { deprecationMarker, markedErrors } from '../responses/deprecation';
import { compileErrors, declaredError, type ErrorFallback } from '../responses/error-response';
import { compileResponses } from '../responses/response';
import { type Authorize, compileSecurity, type SecuredOperation } from '../security/security';
import type { UntypedHandler } from './handler';
import type { ServiceOptions, SettledOptions } from './service-options';

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
        return shape.alternatives.map((one) => ({ ...one, shape: bare(one.shape) }));
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
 * Makes the compiler of a document's operations, each of which becomes the functions of the steps of a request at its first one.
 * @param handlers those of operations
 * @param fallback writes the failures that an operation does not declare
 */
export const operationCompiler = (
  document: ApiDocument,
  handlers: ReadonlyMap<Operation, UntypedHandler>,
  fallback: ErrorFallback,
  options: SettledOptions,
) => {
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
  return memoize((operation: Operation) => {
    const allowed = allowHeaders(document.operations.filter(({ path }) => path === operation.path));
    const records = handledResponses(operation);
    const conditions = conditionsOf({ ...operation, responses: records });
    const { tagged } = conditions;
    const responses = compileResponses(records, responseTools, allowed, tagged);
    const writeError = compileErrors(records, responseTools, fallback, allowed);
    const mark = deprecationMarker(operation);
    const handler = handlers.get(operation);
    return {
      /** The path of the document behind the base path: `/v1/items/{id}`. */
      route: document.basePath + operation.path,
      authorize: authorize(operation),
      readParameters: compileReadParameters(operation.parameters, tools, (location) =>
        keyNamesOf(operation, securitySchemes, location),
      ),
      /** Undefined if bodies have no meaning. */
      readBody: compileBody(operation, sizes, handler?.takesPatches?.() ? patchTools : tools),
      conditions,
      responses,
      /** Adds the headers of its deprecation to a response; undefined where there are none. */
      mark,
      fail: declaredError(operation.operationId, records, validateResponses),
      notImplemented: () =>
        new HttpError(501, 'not-implemented', `${operation.operationId} is not implemented`),
      writeError: markedErrors(mark, writeError),
      /** Lists warm-up functions. */
      firstUses: () => [
        ...responses.all().map((response) => () => response.prepare()),
        () => handler?.prepare?.(),
      ],
    };
  });
};

export type CompileOperation = ReturnType<typeof operationCompiler>;

type CompiledOperation = ReturnType<CompileOperation>;

/**
 * Adds the faults of the body to the refusal of the parameters, so that the caller mends both at once. A body that is large, or that
 * waits to be asked for, is not worth it.
 */
const withFaultsOfBody = async (
  refusal: unknown,
  readBody: CompiledOperation['readBody'],
  request: HttpRequest,
  fuel: Parameters<ReadParameters>[1],
): Promise<unknown> => {
  const { expect, 'content-length': length = '0' } = request.headers;
  const isRead = expect === undefined && Number(length) <= 256 * 1024;
  if (!(refusal instanceof HttpError) || refusal.errors.length === 0 || !isRead) return refusal;
  try {
    const body = await readBody?.(request, fuel);
    if (body instanceof BodyItems) body.end();
    return refusal;
  } catch (fault) {
    // One that cannot be read at all, as of another media type, has no places.
    return fault instanceof HttpError ? withErrors(refusal, fault.errors) : refusal;
  }
};

/** Reads the parameters and the body of a request of a compiled operation. */
export const readInput = async (
  { readParameters, readBody }: CompiledOperation,
  request: HttpRequest,
  raw: Parameters<ReadParameters>[0],
  step: ServiceLog['step'],
) => {
  const fuel = requestFuel();
  let parameters: ReturnType<ReadParameters>;
  try {
    parameters = readParameters(raw, fuel);
  } catch (refusal) {
    throw await withFaultsOfBody(refusal, readBody, request, fuel);
  }
  step?.({}, 'Parameters read');
  const body = await readBody?.(request, fuel);
  if (body !== undefined) step?.({ mediaType: raw.headers['content-type'] }, 'Body read');
  return { parameters, body };
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
