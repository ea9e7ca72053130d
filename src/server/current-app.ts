/** The application that serves now: a reload builds the next one beside it, and puts that in its place between two requests. */

import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { describeDiagnostic } from '../document/diagnostics/diagnostic';
import type { DocumentState } from '../host/documents';
import { isTakenUp } from '../host/reload-result';
import { documentVersion } from '../host/served-version';
import { send } from '../http/send';
import type { ServingApp } from './app';
import type { Metrics } from './observability/metrics';

const starting: RequestListener = (request, response) =>
  void send(request, response, { status: 503, headers: { 'Retry-After': '1' }, body: undefined });

/** Compiles one service after the other, and logs the examples that do not fit, but for those that are known. */
const precompile = async (
  services: ServingApp['services'],
  known: Set<string>,
  log: Logger,
  signal: AbortSignal,
): Promise<void> => {
  const found = new Set<string>();
  for (const service of services) {
    await service.listener.precompile(signal, (problem) => {
      // Problems move with the lines; their pointers mostly stay.
      const key = JSON.stringify([problem.file, problem.pointer, problem.message]);
      if (!known.has(key)) log.warn(describeDiagnostic(problem));
      known.add(key);
      found.add(key);
    });
  }
  if (signal.aborted) return;
  for (const key of known) if (!found.has(key)) known.delete(key);
};

const stateInfo = ({ name, state, document }: DocumentState) => ({
  document: name,
  state,
  version: document ? documentVersion(document) : '',
});

/** Makes the place of the application that serves now. */
export const currentApp = (metrics: Metrics, log: Logger) => {
  let current: ServingApp | undefined;
  let listener = starting;
  let compiling = new AbortController();
  let isStopped = false;
  /** The examples that do not fit their schemas, as they were logged. */
  const knownExamples = new Set<string>();
  return {
    /** @throws Error before there is one */
    get app(): ServingApp {
      if (current === undefined) throw new Error('The server has not started');
      return current;
    },
    /** Serves by the application; answers 503 before there is one. */
    listener: ((request, response) => listener(request, response)) satisfies RequestListener,
    /** Lets an application serve from now on; requests in flight stay with the one that began them. Does nothing after a stop. */
    serve(next: ServingApp): void {
      if (isStopped) return;
      compiling.abort();
      compiling = new AbortController();
      current = next;
      listener = next.connect();
      metrics.showDocuments(next.version, next.states.map(stateInfo));
      metrics.showReload(next.states.every(isTakenUp));
      void precompile(next.services, knownExamples, log, compiling.signal);
    },
    /** Ends the compilation beside the requests. */
    stop(): void {
      isStopped = true;
      compiling.abort();
    },
  };
};
