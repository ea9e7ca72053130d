/** A document, its handlers and its verifiers become one Express router. */

import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { asHttpError } from '../http/as-http-error';
import { beginStream } from '../http/begin-stream';
import { HttpError } from '../http/http-error';
import { type Answer, send } from '../http/send';
import { isTextStream, type Report } from '../http/text-stream';
import { type OperationOptions, operationCompiler } from './compile-operation';
import type { ApiDocument } from './document';
import { documentRoutes } from './document-routes';
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
  /** Further routes below the base path; what they throw leaves by the same door as every failure. */
  readonly routes?: Router;
}

/** Every answer and every failure leaves by this door. */
const answerWith = async (
  exchange: Exchange,
  log: ServiceLog,
  writeError: WriteError,
  serve: () => Promise<Answer>,
): Promise<void> => {
  const { request, response } = exchange;
  const report: Report = (error) => {
    response.locals['isCutOff'] = true;
    log.error({ err: error }, 'An answer was cut off');
  };
  let answer: Answer;
  try {
    answer = await serve();
    const { body } = answer;
    if (isTextStream(body)) answer = { ...answer, body: await beginStream(request, body, report) };
  } catch (error) {
    const failure = asHttpError(error);
    if (failure.status >= 500) log.error({ err: failure.cause ?? failure }, failure.message);
    answer = writeError(failure, request.headers.accept);
  }
  send(request, response, answer, report);
};

// RFC 9112 section 3.2.2: a server must take a target in absolute form, too.
const withoutOrigin = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');

const splitUrl = (target: string): { path: string; query: string } => {
  const url = withoutOrigin(target);
  const mark = url.indexOf('?');
  return mark < 0
    ? { path: url, query: '' }
    : { path: url.slice(0, mark), query: url.slice(mark + 1) };
};

/**
 * Makes the router of a document: its operations below the mount path, and the document itself at `/openapi.json` and
 * `/openapi.yaml`. `response.locals.operationId` names the operation that was reached.
 */
export const openApiService = async (
  document: ApiDocument,
  options: ServiceOptions,
): Promise<Router> => {
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
  const refuse = (exchange: Exchange, error: unknown): Promise<void> =>
    answerWith(exchange, options.log, writeUnrouted, () => Promise.reject(error));
  const serve = (routed: RoutedOperation, exchange: Exchange): Promise<void> => {
    const { operationId, unusable } = routed.operation;
    exchange.response.locals['operationId'] = operationId;
    if (unusable !== undefined) {
      return refuse(exchange, new HttpError(501, 'not-implemented', unusable));
    }
    const { compiled, writeError } = compile(routed.operation);
    return answerWith(exchange, options.log, writeError, () =>
      serveOperation(compiled, routed, exchange),
    );
  };
  const route = await operationRouter<Exchange>(document.operations, {
    operations: new Map([...options.handlers.keys()].map((operationId) => [operationId, serve])),
    notImplemented: serve,
    notFound: (exchange) =>
      refuse(exchange, new HttpError(404, 'route-not-found', 'No operation has this path')),
    methodNotAllowed: async (allow, exchange) => {
      if (exchange.request.method === 'OPTIONS') {
        send(exchange.request, exchange.response, {
          status: 204,
          headers: { Allow: allow },
          body: undefined,
        });
        return;
      }
      const message = 'The path does not have this method';
      await refuse(
        exchange,
        new HttpError(405, 'method-not-allowed', message, { headers: { Allow: allow } }),
      );
    },
  });
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use(documentRoutes(document, options.tools.shapeOf({})));
  if (options.routes !== undefined) router.use(options.routes);
  const exchangeOf = (request: Request, response: Response): Exchange => ({
    request,
    response,
    ...splitUrl(request.url),
  });
  router.use(async (request: Request, response: Response) => {
    const exchange = exchangeOf(request, response);
    await route({ method: request.method, path: exchange.path }, exchange);
  });
  router.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    refuse(exchangeOf(request, response), error),
  );
  return router;
};
