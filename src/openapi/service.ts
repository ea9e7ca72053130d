/** A document, its handlers and its verifiers become one Express router. */

import type { RequestHandler } from 'express';
import { type Awaitable, isOnItsWay } from '../awaitable';
import { asHttpError } from '../http/as-http-error';
import { beginStream } from '../http/begin-stream';
import { HttpError } from '../http/http-error';
import { splitTarget } from '../http/request-target';
import { type Answer, send } from '../http/send';
import { isTextStream, type Report } from '../http/text-stream';
import { type OperationOptions, operationCompiler } from './compile-operation';
import type { ApiDocument } from './document';
import { documentAnswers } from './document-answers';
import { compileErrors, fallbackResponses, type WriteError } from './error-answer';
import { type Exchange, serveOperation } from './exchange';
import { operationRouter, type RoutedOperation } from './operation-router';

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

/** Every answer and every failure leaves by this door. */
const answerWith = (
  { request, response }: Exchange,
  log: ServiceLog,
  writeError: WriteError,
  serve: () => Awaitable<Answer>,
): void => {
  const report: Report = (error) => {
    response.locals['isCutOff'] = true;
    log.error({ err: error }, 'An answer was cut off');
  };
  const refuse = (error: unknown): void => {
    const failure = asHttpError(error);
    if (failure.status >= 500) log.error({ err: failure.cause ?? failure }, failure.message);
    send(request, response, writeError(failure, request.headers.accept));
  };
  const deliver = (answer: Answer): void => {
    const { body } = answer;
    if (isTextStream(body)) {
      beginStream(request, body, report).then(
        (begun) => send(request, response, { ...answer, body: begun }, report),
        refuse,
      );
    } else {
      send(request, response, answer);
    }
  };
  try {
    const answer = serve();
    if (isOnItsWay(answer)) answer.then(deliver).catch(refuse);
    else deliver(answer);
  } catch (error) {
    refuse(error);
  }
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
  const writeUnrouted = compileErrors(
    [],
    undefined,
    fallbackResponses(document, {
      ...options.tools,
      validateResponses: options.validateResponses,
    }),
    '',
  );
  const refuse = (exchange: Exchange, error: unknown): void =>
    answerWith(exchange, options.log, writeUnrouted, () => Promise.reject(error));
  const serve = (routed: RoutedOperation, exchange: Exchange): void => {
    const { operationId, unusable } = routed.operation;
    exchange.response.locals['operationId'] = operationId;
    if (unusable !== undefined) {
      refuse(exchange, new HttpError(501, 'not-implemented', unusable));
      return;
    }
    const { compiled, writeError } = compile(routed.operation);
    answerWith(exchange, options.log, writeError, () => serveOperation(compiled, routed, exchange));
  };
  const route = await operationRouter<Exchange>(document.operations, {
    operations: new Map([...options.handlers.keys()].map((operationId) => [operationId, serve])),
    notImplemented: serve,
    notFound: (exchange) => {
      const notFound = new HttpError(404, 'route-not-found', 'No operation has this path');
      const refuseOr = (error: unknown = notFound): void => refuse(exchange, error);
      if (options.routes === undefined) refuseOr();
      else options.routes(exchange.request, exchange.response, refuseOr);
    },
    methodNotAllowed: (allow, exchange) => {
      if (exchange.request.method === 'OPTIONS') {
        send(exchange.request, exchange.response, {
          status: 204,
          headers: { Allow: allow },
          body: undefined,
        });
        return;
      }
      const message = 'The path does not have this method';
      refuse(
        exchange,
        new HttpError(405, 'method-not-allowed', message, { headers: { Allow: allow } }),
      );
    },
  });
  const documentAt = documentAnswers(document, options.tools.shapeOf({}));
  return (request, response) => {
    const { method } = request;
    const { path, query } = splitTarget(request.url);
    const exchange: Exchange = { request, response, path, query };
    const own = documentAt(method, path);
    if (own !== undefined) {
      send(request, response, own);
      return;
    }
    try {
      route({ method, path }, exchange);
    } catch (error) {
      refuse(exchange, error);
    }
  };
};
