/** The program: reads the environment, serves alone or with several workers, stops on signals. */

import cluster, { type Worker } from 'node:cluster';
import { join } from 'node:path';
import { errorMessage } from './base/error-message';
import { lazy } from './base/memoize';
import { readBuildRecord } from './host/build-record';
import { compilerLines } from './host/compiler-report';
import type { ReloadResult } from './host/reload-result';
import { announcementOf } from './server/announcement';
import { withArguments } from './server/config/command-line';
import { type Config, readConfig } from './server/config/config';
import { openLog } from './server/observability/log';
import { metricsGatherer } from './server/observability/metrics';
import { startTelemetry } from './server/observability/telemetry';
import { openChannel } from './server/processes/ipc';
import { onReloadRequests } from './server/processes/reload-requests';
import { workerForks, workerRequests } from './server/processes/worker-process';
import { followReloads, leadReloads } from './server/processes/worker-reloads';
import { runWorkers } from './server/processes/workers';
import { openFilesWarning, type ServerOptions, startServer } from './server/server';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** The errors of the compiler when this program was built. */
const compilerErrors = readBuildRecord(join(__dirname, '..'))?.errors ?? [];

/** @throws Error with what does not compile, where handlers have to fit */
const requireCompiled = ({ strictHandlers }: Config): void => {
  if (!strictHandlers || compilerErrors.length === 0) return;
  const advice = 'Correct this and run npm run build, or set STRICT_HANDLERS=false.';
  throw new Error([...compilerLines(compilerErrors, [], []), advice].join('\n'));
};

/** Calls the function at the first signal to stop; further ones change nothing. */
const onStopSignal = (stop: () => void): void => {
  const stopOnce = lazy(stop);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stopOnce);
};

/** The log and the export of a process. */
type Observability = Pick<ServerOptions, 'log' | 'telemetry'>;

const serveAlone = async (config: Config, observability: Observability): Promise<void> => {
  const { log } = observability;
  let closeSocket = (): void => undefined;
  const reload = async (): Promise<ReloadResult> => (await starting).reload();
  const admit = async (): Promise<void> => {
    closeSocket = await onReloadRequests(config.controlSocket, reload, log);
  };
  const starting = startServer(config, { ...observability, metrics: { process: true }, admit });
  const server = await starting.catch((error: unknown) => {
    closeSocket();
    throw error;
  });
  onStopSignal(async () => {
    closeSocket();
    await server.stop();
    process.exitCode = 0;
  });
  announcementOf(server, compilerErrors).forEach(print);
};

/** Serves beside other workers; whatever there is to say, the primary says once for all. */
const serveAsWorker = async (
  worker: Worker,
  config: Config,
  observability: Observability,
): Promise<void> => {
  // It is for the primary to have all read the documents again.
  process.on('SIGHUP', () => undefined);
  const primary = openChannel(worker);
  // A primary that no longer responds is gone, and node:cluster ends this process then.
  const report = (name: string, value: unknown) =>
    primary.request(name, value).catch(() => undefined);
  const knownOrigin = await primary.request(workerRequests.address).then(
    (address) => address as string | undefined,
    () => undefined,
  );
  const admit = followReloads(primary, async () => (await starting).prepareReload());
  const metrics = { process: true, primary };
  const isReady = async () => (await primary.request(workerRequests.isReady)) === true;
  const starting = startServer(config, { ...observability, metrics, knownOrigin, admit, isReady });
  try {
    const server = await starting;
    onStopSignal(async () => {
      await server.stop();
      process.exitCode = 0;
      worker.disconnect();
    });
    await report(workerRequests.started, {
      address: server.address,
      announcement: announcementOf(server, compilerErrors),
    });
  } catch (error) {
    await report(workerRequests.failed, errorMessage(error));
    process.exitCode = 1;
    worker.disconnect();
  }
};

/** Serves by workers alone: this process opens no database and serves no request. */
const superviseWorkers = async (config: Config, { log }: Observability): Promise<void> => {
  const stop = new AbortController();
  onStopSignal(() => stop.abort());
  const reloads = leadReloads();
  const gatherMetrics = metricsGatherer();
  let isReady = false;
  const closeSocket = await onReloadRequests(config.controlSocket, reloads.reload, log);
  const inOrder = await runWorkers({
    count: config.workers,
    fork: workerForks(config.port, (worker, serving) => {
      gatherMetrics(worker, serving);
      reloads.add(worker);
      worker.handle(workerRequests.isReady, () => isReady);
    }),
    shutdownSeconds: config.shutdownSeconds,
    log,
    stop: stop.signal,
    announce: (lines) => {
      isReady = true;
      lines.forEach(print);
    },
  }).finally(closeSocket);
  process.exitCode = inOrder ? 0 : 1;
};

const serve = (config: Config, observability: Observability): Promise<void> => {
  if (config.workers === 1) return serveAlone(config, observability);
  return cluster.worker === undefined
    ? superviseWorkers(config, observability)
    : serveAsWorker(cluster.worker, config, observability);
};

const main = async (): Promise<void> => {
  try {
    const environment = withArguments(process.env, process.argv.slice(2));
    // Beside this program, compiled or not.
    const config = readConfig(environment, join(__dirname, '..', 'handlers'));
    requireCompiled(config);
    const servesRequests = config.workers === 1 || cluster.isWorker;
    const telemetry = servesRequests ? await startTelemetry(process.env, config) : undefined;
    // Lines of the log name their trace.
    const log = openLog(config.logLevel, !config.production, telemetry?.logFields);
    const warning = cluster.worker === undefined ? openFilesWarning(config) : undefined;
    if (warning !== undefined) log.warn(warning);
    if (cluster.isPrimary) for (const sentence of config.misspelt) log.warn(sentence);
    await serve(config, { log, telemetry });
  } catch (error) {
    process.stderr.write(`${errorMessage(error)}\n`);
    process.exitCode = 1;
  }
};

void main();
