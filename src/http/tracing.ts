/** Tracing: the parts of the work on a request, as a tracer of the host sees them. */

import type { Outcome } from './exchange';
import type { HttpRequest } from './request';

/**
 * A part of the work on a request.
 * @example { name: 'handler', request: { method: 'GET', target: '/items/7', headers }, outcome: { route: '/items/{id}', operation } }
 */
export interface TracedPart {
  /** `request` is the whole. The others lie in it, one after the other; `validation` is the reading of parameters and body. */
  readonly name: 'request' | 'authorization' | 'validation' | 'handler';
  readonly request: Pick<HttpRequest, 'method' | 'target' | 'headers' | 'client'>;
  /** Filled while the request is served; complete when the work of `request` has ended. */
  readonly outcome: Readonly<Outcome>;
}

/**
 * Does the work of a part, and resolves or rejects as the work does. What is called by the work belongs to the part.
 * @example
 * const trace: Trace = ({ name }, work) =>
 *   tracer.startActiveSpan(name, (span) => work().finally(() => span.end()));
 */
export type Trace = <Result>(part: TracedPart, work: () => Promise<Result>) => Promise<Result>;
