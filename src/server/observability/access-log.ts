/**
 * Observes every request: one log line and one measurement each. The line says whose request it was, and why it was refused.
 * Queries and headers carry secrets and are left out.
 */

import type { RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import {
  type ClientOf,
  callerOf,
  failureOf,
  type Operation,
  operationOf,
  reasonsOf,
  requestIdOf,
} from '../../engine';
import { inRequest } from './log';
import type { Metrics } from './metrics';

/** 499 stands for a caller who closed the connection; a response that the server itself broke off has failed in spite of its status. */
const finalStatus = ({ writableEnded, statusCode, errored }: ServerResponse): number => {
  if (writableEnded) return statusCode;
  return errored ? 500 : 499;
};

/** A listener that knows when it has nothing to do. */
export interface ObservedListener extends RequestListener {
  /** Resolves when each request that it was handed has its response, or has lost its connection. */
  idle(): Promise<void>;
}

/** What the line of one request says beside what its kind has in common. */
interface RequestFields {
  readonly path: string;
  readonly requestId: string | undefined;
  readonly address: string;
  /** The account, the client or the label of the API key. */
  readonly caller: string | undefined;
  /** Why it was refused: the sentence, and the first place that was wrong. */
  readonly reason: string | undefined;
  readonly milliseconds: number;
}

/** Records one request. */
type Record = (fields: RequestFields) => void;

const withoutQuery = (target: string): string => {
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
};

/**
 * Hands requests on, and logs and counts each when its response has been sent, or its connection has closed.
 *
 * @param isMocked whether an operation has a mock in place of a handler; its lines say so
 * @param clientOf tells who sent a request
 */
export const accessLog = (
  log: Logger,
  metrics: Metrics,
  isMocked: (operation: Operation) => boolean,
  clientOf: ClientOf,
  serve: RequestListener,
): ObservedListener => {
  // What requests of a kind have in common is written once. Methods are those that node:http knows.
  const recorders = new Map<Operation | undefined, Map<string, Record>>();

  const makeRecorder = (served: Operation | undefined, method: string, status: number): Record => {
    const operation = served?.operationId;
    const series = metrics.requests(operation ?? 'none', method, status);
    const mark = served !== undefined && isMocked(served) ? { mock: true } : {};
    const lines = log.child({ method, operation, status, ...mark });
    const isLogged = lines.isLevelEnabled('info');
    return (fields) => {
      series.observe(fields.milliseconds / 1000);
      if (!isLogged) return;
      lines.info(fields, 'request');
    };
  };

  const recorderFor = (
    operation: Operation | undefined,
    method: string,
    status: number,
  ): Record => {
    const own = recorders.get(operation) ?? new Map<string, Record>();
    recorders.set(operation, own);
    const kind = `${status} ${method}`;
    const record = own.get(kind) ?? makeRecorder(operation, method, status);
    own.set(kind, record);
    return record;
  };

  const serveTraced: RequestListener = log.isLevelEnabled('debug')
    ? (request, response) => inRequest(requestIdOf(response), () => serve(request, response))
    : serve;

  let active = 0;
  let whenIdle: (() => void)[] = [];

  const leave = (): void => {
    active -= 1;
    if (active > 0) return;
    for (const resolve of whenIdle) resolve();
    whenIdle = [];
  };

  const idle = async (): Promise<void> => {
    if (active > 0) await new Promise<void>((resolve) => whenIdle.push(resolve));
  };

  const listener: RequestListener = (request, response) => {
    const { method = '', url = '' } = request;
    const start = performance.now();
    const { address } = clientOf(request);
    active += 1;
    const end = (): void => {
      leave();
      const record = recorderFor(operationOf(response), method, finalStatus(response));
      const failure = failureOf(response);
      // Without a spread: V8 would make a hidden class for each line.
      const fields = {
        path: withoutQuery(url),
        requestId: requestIdOf(response),
        address,
        caller: callerOf(response)?.subject,
        reason: failure && reasonsOf(failure, 1).join(': '),
        milliseconds: Math.round((performance.now() - start) * 1e3) / 1e3,
      };
      record(fields);
    };
    // A caller who closed the connection before its turn is not served.
    if (request.destroyed || response.destroyed) {
      end();
      return;
    }
    // It is emitted once, so `once`, which wraps the function, is not needed.
    response.on('close', end);
    serveTraced(request, response);
  };
  return Object.assign(listener, { idle });
};
