/** The application that serves now: a reload builds the next one beside it, and puts that in its place between two requests. */

import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { describeDiagnostic } from '../engine';
import type { App } from './app';
import type { DocumentInfo, Metrics } from './observability/metrics';
import type { DocumentState } from './services/documents';
import { isTakenUp } from './services/reload-result';
import { documentVersion } from './services/served-version';

/** The application that serves now. */
export interface CurrentApp {
  readonly app: App;
  readonly listener: RequestListener;
  /** Lets another application serve from now on; requests in flight stay with the one that began them. Does nothing after a stop. */
  replace(next: App): void;
  /** Ends the compilation beside the requests. */
  stop(): void;
}

/** Compiles one service after the other, and logs the examples that do not fit, but for those that are known. */
const precompile = async (
  services: App['services'],
  known: Set<string>,
  log: Logger,
  signal: AbortSignal,
): Promise<void> => {
  const found = new Set<string>();
  for (const service of services) {
    await service.precompile(signal, (problem) => {
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

const stateInfo = ({ name, state, document }: DocumentState): DocumentInfo => ({
  document: name,
  state,
  version: document ? documentVersion(document) : '',
});

/** Lets the first application serve. */
export const currentApp = (first: App, metrics: Metrics, log: Logger): CurrentApp => {
  let app = first;
  let listener: RequestListener;
  let compiling = new AbortController();
  let isStopped = false;
  /** The examples that do not fit their schemas, as they were logged. */
  const knownExamples = new Set<string>();

  const serve = (): void => {
    listener = app.connect();
    metrics.showDocuments(app.version, app.states.map(stateInfo));
    metrics.showReload(app.states.every(isTakenUp));
    compiling = new AbortController();
    void precompile(app.services, knownExamples, log, compiling.signal);
  };

  serve();
  return {
    get app() {
      return app;
    },
    listener: (request, response) => listener(request, response),
    replace(next) {
      if (isStopped) return;
      compiling.abort();
      app = next;
      serve();
    },
    stop() {
      isStopped = true;
      compiling.abort();
    },
  };
};
