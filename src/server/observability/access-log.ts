/** Observes every request: one log line and one measurement each. Queries and headers carry secrets and are left out. */

import type { RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { operationIdOf } from '../../engine';
import type { Metrics } from './metrics';

/** 499 stands for a caller who closed the connection; a response that the server itself broke off has failed in spite of its status. */
const finalStatus = ({ writableEnded, statusCode, errored }: ServerResponse): number => {
  if (writableEnded) return statusCode;
  return errored ? 500 : 499;
};

/** Records one request. */
type Record = (path: string, milliseconds: number) => void;

const withoutQuery = (target: string): string => {
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
};

/** Hands requests on, and logs and counts each when its response has been sent, or its connection has closed. */
export const accessLog = (
  log: Logger,
  metrics: Metrics,
  serve: RequestListener,
): RequestListener => {
  // What requests of a kind have in common is written once. Methods are those that node:http knows.
  const recorders = new Map<string, Record>();

  const makeRecorder = (operation: string | undefined, method: string, status: number): Record => {
    const series = metrics.requests(operation ?? 'none', method, status);
    const lines = log.child({ method, operation, status });
    return (path, milliseconds) => {
      series.observe(milliseconds / 1000);
      lines.info({ path, milliseconds: Math.round(milliseconds * 1e3) / 1e3 }, 'request');
    };
  };

  const recorderFor = (operation: string | undefined, method: string, status: number): Record => {
    const kind = `${status} ${method} ${operation ?? ''}`;
    const record = recorders.get(kind) ?? makeRecorder(operation, method, status);
    recorders.set(kind, record);
    return record;
  };

  return (request, response) => {
    const { method = '', url = '' } = request;
    const start = performance.now();
    const end = (): void => {
      const record = recorderFor(operationIdOf(response), method, finalStatus(response));
      record(withoutQuery(url), performance.now() - start);
    };
    // A caller who closed the connection before its turn is not served.
    if (request.destroyed || response.destroyed) {
      end();
      return;
    }
    // It is emitted once, so `once`, which wraps the function, is not needed.
    response.on('close', end);
    serve(request, response);
  };
};
