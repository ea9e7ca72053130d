/** The program: reads the environment, serves alone or with several workers, stops on signals. */

import cluster, { type Worker } from 'node:cluster';
import { join } from 'node:path';
import { errorMessage } from './base/error-message';
import { lazy } from './base/memoize';
import { readBuildRecord } from './host/build-record';
import { compilerLines } from './host/compiler-report';
import { originAt } from './http/listening';
import { announcementOf } from './server/announcement';
import type { ServerOptions } from './server/app-context';
import { type Config, readConfig } from './server/config/config';
import { withArguments } from './server/config/settings';
import { openLog } from './server/observability/log';
import { gatherMetrics } from './server/observability/metrics';
import { startTelemetry } from './server/observability/telemetry';
import { onReloadRequests, runWorkers } from './server/processes/workers';
import { openFilesWarning, startServer } from './server/server';

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

/** Serves alone, or beside other workers; then the first one says for all what there is to say, and the primary what is other later. */
const serveRequests = async (
  config: Config,
  worker: Worker | undefined,
  { log, telemetry }: Observability,
): Promise<void> => {
  // The primary has tried the port, and other workers may serve there already.
  const knownOrigin = worker && (await originAt(config.port, config.host));
  const metrics = worker === undefined ? 'process' : 'workers';
  const starting = startServer(config, { log, telemetry, metrics, knownOrigin });
  onReloadRequests(async () => (await starting).reload(), log);
  const server = await starting;
  onStopSignal(async () => {
    await server.stop();
    process.exitCode = 0;
    worker?.disconnect();
  });
  const lines = announcementOf(server, compilerErrors);
  if (worker === undefined || worker.id === 1) lines.forEach(print);
  worker?.send({ announced: lines });
};

/** Serves by workers alone: this process opens no database and serves no request. */
const serveByWorkers = async (config: Config, { log }: Observability): Promise<void> => {
  gatherMetrics();
  await runWorkers(config, log);
};

const main = async (): Promise<void> => {
  try {
    const environment = withArguments(process.env, process.argv.slice(2));
    // Beside this program, compiled or not.
    const config = readConfig(environment, join(__dirname, '..', 'handlers'));
    requireCompiled(config);
    const worker = config.workers > 1 ? cluster.worker : undefined;
    const servesRequests = config.workers === 1 || worker !== undefined;
    const telemetry = servesRequests ? await startTelemetry(process.env, config) : undefined;
    // Lines of the log name their trace.
    const log = openLog(config.logLevel, !config.production, telemetry?.logFields);
    const warning = cluster.worker === undefined ? openFilesWarning(config) : undefined;
    if (warning !== undefined) log.warn(warning);
    if (cluster.isPrimary) for (const sentence of config.misspelt) log.warn(sentence);
    if (servesRequests) await serveRequests(config, worker, { log, telemetry });
    else await serveByWorkers(config, { log });
  } catch (error) {
    process.stderr.write(`${errorMessage(error)}\n`);
    process.exitCode = 1;
    cluster.worker?.disconnect();
  }
};

void main();
