/** One application after the other serves: the next is built beside the one that serves, and takes over between two requests. */

import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { describeDiagnostic } from '../engine';
import type { App } from './app';
import type { DocumentInfo, Metrics } from './observability/metrics';
import type { ReloadResult } from './processes/control-socket';
import type { DocumentState } from './services/documents';
import { isTakenUp } from './services/reload-result';
import { documentVersion } from './services/served-version';

/** An application that is ready to serve in place of the one that does. */
export interface NextApp {
  readonly app: App;
  /** The result of reading the documents. */
  readonly result: ReloadResult;
  /** Lets it serve every request from now on; those in flight stay with the application that began them. */
  serve(): void;
  /** Gives it up: the metrics say that the reload failed. */
  forget(): void;
}

/** The application that serves now, and how another comes into its place. */
export interface AppSuccession {
  readonly app: App;
  readonly listener: RequestListener;
  /** Makes the application the one that serves, unless all is being stopped. */
  succeed(next: App): void;
  /** Shows in the metrics that a reload failed. */
  forget(): void;
  /** Stops compiling; resolves when every request has ended that a former application began. */
  stop(): Promise<void>;
}

/** Compiles one service after the other, and logs the examples that do not fit, but for those that are known. */
const compileAhead = async (
  services: App['services'],
  known: Set<string>,
  log: Logger,
  signal: AbortSignal,
): Promise<void> => {
  const found = new Set<string>();
  for (const service of services) {
    await service.compileAhead(signal, (problem) => {
      // Problems move with the lines; where they stand in the document mostly stays.
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
  ...{ document: name, state, version: document ? documentVersion(document) : '' },
});

/** Begins with an application. */
export const appSuccession = (first: App, metrics: Metrics, log: Logger): AppSuccession => {
  let app = first;
  /** Resolves when every request that former applications began has ended. */
  let before: Promise<void> = Promise.resolve();
  /** Examples that do not fit, as the log has told of them. */
  const knownExamples = new Set<string>();
  let isStopping = false;

  /** Compiles beside the requests until it is stopped. */
  const begin = (): AbortController => {
    const { services, version, states } = app;
    metrics.showDocuments(version, states.map(stateInfo));
    metrics.showReload(states.every(isTakenUp));
    const stopping = new AbortController();
    void compileAhead(services, knownExamples, log, stopping.signal);
    return stopping;
  };

  let compiling = begin();
  let listener = first.connect();
  return {
    get app() {
      return app;
    },
    listener: (request, response) => listener(request, response),
    succeed(next) {
      if (isStopping) return;
      compiling.abort();
      before = Promise.all([before, app.idle()]).then(() => undefined);
      app = next;
      compiling = begin();
      listener = app.connect();
    },
    forget: () => metrics.showReload(false),
    async stop() {
      isStopping = true;
      compiling.abort();
      await before;
    },
  };
};
