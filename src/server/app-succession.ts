/** One application after the other serves: the next is built beside the one that serves, and takes over between two requests. */

import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { describeDiagnostic } from '../engine';
import { runMaintenance } from '../storage/collections/indexes/maintain-indexes';
import type { App } from './app';
import type { DocumentInfo, Metrics } from './observability/metrics';
import type { ReloadResult } from './processes/control-socket';
import type { DocumentState } from './services/documents';
import { countMisfits, countMisfitsIfPossible, misfitLines } from './services/misfit-report';
import { isTakenUp } from './services/reload-result';
import { documentVersion } from './services/served-version';

/** An application that is ready to serve in place of the one that does. */
export interface NextApp {
  readonly app: App;
  /** What its reading of the documents changed. */
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
  /** Ends what goes on beside the requests; resolves when that has ended, and every request that was begun by an application of before. */
  stop(): Promise<void>;
}

/** What goes on beside the requests of one application. */
interface Background {
  /** Resolves when nothing of it goes on. */
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

/** Brings what is stored in line with the documents, and says then how much does not fit. */
const maintain = async (
  { services }: App,
  known: readonly string[],
  log: Logger,
  signal: AbortSignal,
): Promise<void> => {
  const pieces = services.flatMap(({ storage }) => storage.maintenance);
  await runMaintenance(pieces, signal);
  if (pieces.length === 0 || signal.aborted) return;
  const found = misfitLines(await countMisfits(services));
  for (const line of found) if (!known.includes(line)) log.warn(line);
};

const stateInfo = ({ name, state, document }: DocumentState): DocumentInfo => ({
  ...{ document: name, state, version: document ? documentVersion(document) : '' },
});

/** Resolves with the promise, or when the signal comes before. */
const settledOrAborted = (promise: Promise<void>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    void promise.then(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/**
 * Starts what goes on beside the requests.
 *
 * @param before - what has to end before anything stored is changed: no request may still work by other declarations
 */
const startBackground = (
  app: App,
  before: Promise<void>,
  known: readonly string[],
  knownExamples: Set<string>,
  log: Logger,
): Background => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const maintenance = settledOrAborted(before, signal)
    .then(() => maintain(app, known, log, signal))
    .catch((error: unknown) => {
      log.error({ err: error }, 'Stored items could not be prepared; the next start goes on');
    });
  compileAhead(app.services, knownExamples, log, signal);
  return {
    stop() {
      stopping.abort();
      return maintenance;
    },
  };
};

/**
 * Begins with an application.
 *
 * @param misfits - what was said already of stored items that do not fit
 */
export const appSuccession = (
  first: App,
  misfits: readonly string[],
  metrics: Metrics,
  log: Logger,
): AppSuccession => {
  let app = first;
  /** Resolves when all is over that applications of before were asked, and did beside. */
  let before: Promise<void> = Promise.resolve();

  /** Examples that do not fit, as the log has told of them. */
  const knownExamples = new Set<string>();

  let isStopping = false;

  const begin = (): Background => {
    const { services, version, states } = app;
    metrics.showDocuments(version, states.map(stateInfo));
    metrics.showReload(states.every(isTakenUp));
    metrics.watchMisfits(() => countMisfitsIfPossible(services));
    return startBackground(app, before, misfits, knownExamples, log);
  };

  let background = begin();
  let listener = first.connect();
  return {
    get app() {
      return app;
    },
    listener: (request, response) => listener(request, response),
    succeed(next) {
      if (isStopping) return;
      const past = [before, background.stop(), app.idle()];
      before = Promise.all(past).then(() => undefined);
      app = next;
      background = begin();
      listener = app.connect();
    },
    forget: () => metrics.showReload(false),
    async stop() {
      isStopping = true;
      await Promise.all([background.stop(), before]);
    },
  };
};
