/**
 * Observes every request: one log line and one measurement each, and a span where requests are traced. The line says whose request
 * it was, and why it was refused. Queries and headers carry secrets and are left out.
 */

import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { ClientOf } from '../../http/caller';
import { type Outcome, outcomeOf } from '../../http/exchange';
import { reasonsOf } from '../../http/http-error';
import { requestIdOf } from '../../http/send';
import type { Operation } from '../../model/operation';
import type { Layer } from '../http/layer';
import { inRequest } from './log';
import type { Metrics } from './metrics';
import type { Spans } from './spans';

interface Ended {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The target; routes may have changed that of the request. */
  readonly url: string;
  readonly address: string;
  readonly milliseconds: number;
}

type LogRequest = (ended: Ended) => void;

/** Gives the fields of a line that others of its kind have not. They are written out, since V8 would make a hidden class for each spread. */
const fieldsOf = ({ response, url, address, milliseconds }: Ended) => {
  const { caller, failure } = outcomeOf(response);
  const mark = url.indexOf('?');
  return {
    path: mark < 0 ? url : url.slice(0, mark),
    requestId: requestIdOf(response),
    address,
    caller: caller?.subject,
    reason: failure && reasonsOf(failure, 1).join(': '),
    milliseconds,
  };
};

/** Makes the layer that logs and counts each request when its response has been sent, or its connection has closed. */
export const accessLog = (
  log: Logger,
  metrics: Pick<Metrics, 'requests' | 'countInFlight'>,
  observed: {
    readonly isMocked: (operation: Operation) => boolean;
    readonly serviceOf: (operation: Operation) => string | undefined;
    readonly clientOf: ClientOf;
    readonly beginSpan?: Spans['begin'] | undefined;
  },
): Layer => {
  const { isMocked, serviceOf, clientOf, beginSpan } = observed;
  // What requests of a kind have in common is written once. Methods are those that node:http knows.
  const kinds = new Map<Operation | undefined, Map<string, LogRequest>>();

  const newKind = (outcome: Outcome, method: string, status: number): LogRequest => {
    const { operation: served, failure } = outcome;
    const operation = served?.operationId;
    const service = served && serviceOf(served);
    const count = metrics.requests({
      service: service ?? 'none',
      operation: operation ?? 'none',
      method,
      status: String(status),
      ...(failure && { rule: failure.code }),
    });
    const mark = served !== undefined && isMocked(served) ? { mock: true } : {};
    const lines = log.child({ method, service, operation, status, ...mark });
    const isLogged = lines.isLevelEnabled('info');
    return (ended) => {
      count(ended.milliseconds / 1000, outcomeOf(ended.response));
      const { trace } = outcomeOf(ended.response);
      const fields = fieldsOf(ended);
      if (isLogged) lines.info(trace === undefined ? fields : { ...fields, ...trace }, 'request');
    };
  };

  const kindOf = ({ request: { method = '' }, response }: Ended): LogRequest => {
    const outcome = outcomeOf(response);
    const { operation, failure } = outcome;
    // A response that the server broke off has failed; 499 stands for a caller who closed the connection.
    const broken = response.errored ? 500 : 499;
    const status = response.writableEnded ? (outcome.inner ?? response.statusCode) : broken;
    const ofOperation = kinds.get(operation) ?? new Map<string, LogRequest>();
    kinds.set(operation, ofOperation);
    const name = `${status} ${method} ${failure?.code}`;
    const kind = ofOperation.get(name) ?? newKind(outcome, method, status);
    ofOperation.set(name, kind);
    return kind;
  };

  return (next) => (request, response) => {
    const { url = '' } = request;
    const start = performance.now();
    const client = clientOf(request);
    const { address } = client;
    const end = (): void => {
      const milliseconds = Math.round((performance.now() - start) * 1e3) / 1e3;
      const ended = { request, response, url, address, milliseconds };
      metrics.countInFlight(-1);
      kindOf(ended)(ended);
    };
    metrics.countInFlight(1);
    // A caller who closed the connection before its turn is not served.
    if (request.destroyed || response.destroyed) {
      end();
      return;
    }
    const serve = (): void =>
      log.isLevelEnabled('debug')
        ? inRequest(requestIdOf(response), () => next(request, response))
        : next(request, response);
    const { method = '', headers } = request;
    const follow = beginSpan?.(
      { method, target: url, headers, client: () => client },
      outcomeOf(response),
    );
    if (follow === undefined) {
      // It is emitted once, so `once`, which wraps the function, is not needed.
      response.on('close', end);
      serve();
      return;
    }
    const served = (): Promise<void> =>
      new Promise((resolve) => {
        // The line belongs to the trace, whatever closes the connection.
        const resource = new AsyncResource('request');
        response.on('close', () => {
          resource.runInAsyncScope(end);
          outcomeOf(response).status = response.writableEnded ? response.statusCode : undefined;
          resolve();
        });
        serve();
      });
    void follow(served);
  };
};
