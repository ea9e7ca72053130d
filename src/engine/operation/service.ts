/** A document, its handlers and its verifiers become one Express router. */

import type { RequestHandler } from 'express';
import type { ApiDocument } from '../document/document';
import { documentResponses } from '../document/document-responses';
import { asHttpError } from '../http/as-http-error';
import { beginStream } from '../http/begin-stream';
import { HttpError } from '../http/http-error';
import { otherMethodResponse } from '../http/other-methods';
import { splitTarget } from '../http/request-target';
import { type HttpResponse, send } from '../http/send';
import { isTextStream, type Report, type TextStream } from '../http/text-stream';
import { type MaybePromise, orCatch } from '../lang/maybe-promise';
import { operationRouter, type RoutedOperation } from '../paths/operation-router';
import { compileErrors, fallbackResponses, type WriteError } from '../responses/error-response';
import { type OperationOptions, operationCompiler } from './compile-operation';
import { type RequestContext, serveOperation } from './serve-operation';

/** Where faults of the server are told; pino's loggers fit. */
export interface ServiceLog {
  error(fields: object, message: string): void;
}

/** How a service is set up. */
export interface ServiceOptions extends OperationOptions {
  readonly log: ServiceLog;
  /** Answers paths that no operation has; what it throws leaves by the same door as every failure. */
  readonly routes?: RequestHandler;
}

/** The door by which every answer and every failure leaves. */
interface Door {
  readonly log: ServiceLog;
  readonly writeError: WriteError;
}

const refuse = ({ request, response }: RequestContext, door: Door, error: unknown): void => {
  const failure = asHttpError(error);
  if (failure.status >= 500) door.log.error({ err: failure.cause ?? failure }, failure.message);
  send(request, response, door.writeError(failure, request.headers.accept));
};

/** Sends a text that comes in pieces; until it has begun, a fault of its source is a refusal like any other. */
const deliverStream = (
  exchange: RequestContext,
  door: Door,
  answer: HttpResponse,
  stream: TextStream,
): void => {
  const { request, response } = exchange;
  const report: Report = (error) => {
    response.locals['isCutOff'] = true;
    door.log.error({ err: error }, 'An answer was cut off');
  };
  beginStream(request, stream, report)
    .then((body) => send(request, response, { ...answer, body }, report))
    .catch((error) => refuse(exchange, door, error));
};

const deliver = (exchange: RequestContext, door: Door, answer: HttpResponse): void => {
  const { body } = answer;
  if (isTextStream(body)) deliverStream(exchange, door, answer, body);
  else send(exchange.request, exchange.response, answer);
};

/** What serves gets what sends the answer, rather than giving the answer back: whoever waits for it would take a promise more. */
const answerWith = (
  exchange: RequestContext,
  door: Door,
  serve: (deliver: (answer: HttpResponse) => void) => MaybePromise<void>,
): void => {
  void orCatch(
    () => serve((answer) => deliver(exchange, door, answer)),
    (error) => refuse(exchange, door, error),
  );
};

/**
 * Makes what serves a document: its operations below the mount path, and the document itself at `/openapi.json` and
 * `/openapi.yaml`. `response.locals.operationId` names the operation that was reached.
 */
export const openApiService = async (
  document: ApiDocument,
  options: ServiceOptions,
): Promise<RequestHandler> => {
  const compile = operationCompiler(document, options);
  const { log, routes } = options;
  const unrouted: Door = {
    log,
    writeError: compileErrors(
      [],
      undefined,
      fallbackResponses(document, {
        ...options.tools,
        validateResponses: options.validateResponses,
      }),
      '',
    ),
  };
  const serve = (routed: RoutedOperation, exchange: RequestContext): void => {
    const { operationId, invalidReason } = routed.operation;
    exchange.response.locals['operationId'] = operationId;
    if (invalidReason !== undefined) {
      refuse(exchange, unrouted, new HttpError(501, 'not-implemented', invalidReason));
      return;
    }
    const { compiled, writeError } = compile(routed.operation);
    answerWith(exchange, { log, writeError }, (deliver) =>
      serveOperation(compiled, routed, exchange, deliver),
    );
  };
  const route = await operationRouter<RequestContext>(document.operations, {
    operations: new Map([...options.handlers.keys()].map((operationId) => [operationId, serve])),
    notImplemented: serve,
    notFound: (exchange) => {
      const notFound = new HttpError(404, 'route-not-found', 'No operation has this path');
      const refuseOr = (error: unknown = notFound): void => refuse(exchange, unrouted, error);
      if (routes === undefined) refuseOr();
      else routes(exchange.request, exchange.response, refuseOr);
    },
    methodNotAllowed: (allow, exchange) =>
      answerWith(exchange, unrouted, (answer) =>
        answer(otherMethodResponse(exchange.request.method, allow)),
      ),
  });
  const documentAt = documentResponses(document, options.tools.shapeOf({}));
  return (request, response) => {
    const { method } = request;
    const { path, query } = splitTarget(request.url);
    const exchange: RequestContext = { request, response, path, query };
    const own = documentAt(method, path);
    if (own !== undefined) {
      send(request, response, own);
      return;
    }
    try {
      route({ method, path }, exchange);
    } catch (error) {
      refuse(exchange, unrouted, error);
    }
  };
};
