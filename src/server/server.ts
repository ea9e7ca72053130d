/** A server from start to stop: database, application, listening, and an orderly end. */

import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import type { Logger } from 'pino';
import { bodyMemory, send } from '../engine';
import { DatabaseUnavailable, operatorMessage } from '../storage/connections/database-errors';
import { closeDatabase, type Database, openDatabase } from '../storage/database/database';
import { type App, buildApp, processContext } from './app';
import { type AppSuccession, appSuccession, type NextApp } from './app-succession';
import type { Config } from './config/config';
import { type demoCredentials, seedDemoData } from './demo-data';
import { httpServer } from './http/http-server';
import type { OnRefused } from './http/refuse-connection';
import { statementLog } from './observability/log';
import type { MetricsOptions } from './observability/metrics';
import { prepareApp } from './prepared-app';
import type { ReloadResult } from './processes/control-socket';
import type { DocumentState } from './services/documents';
import type { LoadHandlers } from './services/handler-modules';
import { foldersWithoutDocument } from './services/handler-report';
import { compareStates } from './services/reload-result';

/** A server that listens. */
export interface RunningServer {
  /** What is served at the moment. */
  readonly app: App;
  /** The origin of the address that it listens on. */
  readonly address: string;
  /** The origin under which callers reach it. */
  readonly origin: string;
  /** Undefined where the demo data was not asked for. */
  readonly demo: typeof demoCredentials | undefined;
  /**
   * Reads the documents again, and builds what is to serve those that are good. Nothing changes for requests.
   * @throws Error where none can be read, or the database fails
   */
  prepareReload(): Promise<NextApp>;
  /** Does so and serves them, between two requests; one call after the other. Rejects, serving as before, as `prepareReload` does. */
  reload(): Promise<ReloadResult>;
  /** Takes no more requests, finishes those in flight, closes the database. */
  stop(): Promise<void>;
}

/** What a server may be given beside its configuration. */
export interface ServerOptions {
  readonly log: Logger;
  readonly clock?: () => number;
  readonly metrics?: MetricsOptions;
  /** The origin of its address, where that is known beforehand: then it takes no connection before it can respond. */
  readonly knownOrigin?: string | undefined;
  /** Given the version of what is to be served, before the database is opened; where it rejects, the server does not start. */
  readonly admit?: (version: string) => Promise<void>;
  /** See AppContext. */
  readonly isReady?: () => Promise<boolean>;
  /** Milliseconds that never run backwards; how long requests have waited is told by it. */
  readonly queueClock?: () => number;
  /** See AppContext. */
  readonly loadHandlers?: LoadHandlers;
}

const starting: RequestListener = (request, response) =>
  void send(request, response, { status: 503, headers: { 'Retry-After': '1' }, body: undefined });

const originOf = (server: Server): string => {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
};

/** How often connections that have fallen idle are closed during the stop. */
const idleCheckMilliseconds = 20;

/** Resolves when every request in flight has its response, or after the time that was given them. */
const drain = async (server: Server, seconds: number): Promise<void> => {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMilliseconds);
  const late = setTimeout(() => server.closeAllConnections(), seconds * 1000);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
};

/** Makes calls of the work wait for those before them. */
const inTurn = <Result>(work: () => Promise<Result>): (() => Promise<Result>) => {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
};

/** @throws Error where the handlers of a document are there, and the document is not */
const requireDocuments = async (
  { handlersDirectory, specsDirectory }: Config,
  states: readonly DocumentState[],
): Promise<void> => {
  const names = new Set(states.map(({ name }) => name));
  const folders = await foldersWithoutDocument(handlersDirectory, names);
  if (folders.length === 0) return;
  const lines = folders.map(
    (folder) =>
      `${folder}: there is no document ${basename(folder)} in ${specsDirectory}. Put it back, or remove the folder.`,
  );
  throw new Error(lines.join('\n'));
};

/** The files that a process opens beside its connections: the log, modules, documents, SQLite's own. */
const otherFiles = 40;

/** Reads how many files this process may open; `unlimited`, or undefined where the system has no such limit. */
const openFilesLimit = (): unknown => {
  const report = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: unknown } };
  };
  return report.userLimits?.open_files?.soft;
};

/** Describes the limit of open files that is reached before the limit of connections is; undefined where it is high enough. */
export const openFilesWarning = (
  { maxConnections, databaseConnections }: Config,
  limit: unknown = openFilesLimit(),
): string | undefined => {
  const needed = maxConnections + databaseConnections + otherFiles;
  return Number(limit) < needed
    ? `This process may open ${limit} files, and MAX_CONNECTIONS=${maxConnections} needs ${needed}: raise the limit (ulimit -n), or lower MAX_CONNECTIONS`
    : undefined;
};

/**
 * Starts a server. Whatever can refuse the start is asked before the database is opened.
 * @throws Error, with nothing left open, where the port, a document, the handlers or the database cannot be used
 */
export const startServer = async (
  config: Config,
  options: ServerOptions,
): Promise<RunningServer> => {
  const { log, clock = Date.now, metrics = { process: false }, knownOrigin } = options;
  const { admit, isReady, loadHandlers, queueClock } = options;
  let db: Database | undefined;
  let listener = starting;
  let succession: AppSuccession | undefined;
  let onRefused: OnRefused | undefined;
  const server = httpServer(
    (request, response) => listener(request, response),
    config,
    (refused) => onRefused?.(refused),
  );
  const bodies = bodyMemory(config.maxBodiesBytes);
  const listen = async (): Promise<string> => {
    server.listen(config.port, config.host);
    await once(server, 'listening');
    return originOf(server);
  };
  const stop = async (): Promise<void> => {
    const stopped = succession?.stop();
    if (server.listening) await drain(server, config.shutdownSeconds);
    await stopped;
    if (db !== undefined) await closeDatabase(db);
  };
  try {
    // Listening comes first: with port 0 the origin is unknown before.
    const address = knownOrigin ?? (await listen());
    const origin = config.publicUrl ?? address;
    const context = { config, log, origin, clock, metrics, bodies, loadHandlers, isReady };
    const process = await processContext(context, queueClock);
    onRefused = process.onRefused;
    const prepared = await prepareApp(context, process);
    if (config.production) await requireDocuments(config, prepared.states);
    await admit?.(prepared.version);
    const opened = await openDatabase(config.databaseUrl, {
      connections: config.databaseConnections,
      onStatement: statementLog(log),
    });
    db = opened;
    const first = await buildApp(prepared, context, process, opened, false);
    const seed = async ({ services }: App) =>
      config.demoData ? seedDemoData(services, opened, config, clock) : undefined;
    const demo = await seed(first);
    const apps = appSuccession(first, process.metrics, log);
    succession = apps;
    listener = apps.listener;
    if (!server.listening) await listen();
    log.info({ version: first.version }, 'Documents loaded');
    const readAgain = async (): Promise<NextApp> => {
      const served = apps.app.states;
      const next = await prepareApp(context, process, served);
      const app = await buildApp(next, context, process, opened, true);
      await seed(app);
      const result = { version: app.version, ...compareStates(served, app.states) };
      return { app, result, serve: () => apps.succeed(app), forget: apps.forget };
    };
    const prepareReload = (): Promise<NextApp> =>
      readAgain().catch((error: unknown) => {
        apps.forget();
        throw error;
      });
    return {
      get app() {
        return apps.app;
      },
      ...{ address, origin, demo, stop, prepareReload },
      reload: inTurn(async () => {
        const { serve, result } = await prepareReload();
        serve();
        return result;
      }),
    };
  } catch (error) {
    await stop();
    if (!(error instanceof DatabaseUnavailable)) throw error;
    throw new Error(operatorMessage(error), { cause: error });
  }
};
