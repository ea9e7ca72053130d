/** Observes every request: one log line and one measurement each. Queries and headers carry secrets and are left out. */

import type { RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { Metrics } from './metrics';

/** 499 is what is said of a caller who has gone; a body that broke off by our own fault has failed in spite of its status. */
const finalStatus = ({ writableEnded, statusCode, locals }: Response): number => {
  if (writableEnded) return statusCode;
  return locals['isCutOff'] === true ? 500 : 499;
};

/** Logs and counts each request when its answer has left, or its connection has gone. */
export const requestLog =
  (log: Logger, metrics: Metrics): RequestHandler =>
  (request, response, next) => {
    const start = performance.now();
    const [path] = request.originalUrl.split('?', 1);
    response.once('close', () => {
      const milliseconds = performance.now() - start;
      const operation: string | undefined = response.locals['operationId'];
      const status = finalStatus(response);
      metrics.observe(operation ?? 'none', request.method, status, milliseconds / 1000);
      log.info(
        {
          method: request.method,
          path,
          operation,
          status,
          milliseconds: Math.round(milliseconds * 1e3) / 1e3,
        },
        'request',
      );
    });
    next();
  };
