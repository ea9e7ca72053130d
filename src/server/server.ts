/**
 * A server from start to stop: database, application, listening, reload and an orderly end. A reload builds the next application beside
 * the one that serves, and puts it in its place between two requests.
 */

import type { RequestListener } from 'node:http';
import { basename } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { inTurn } from '../base/run-in-steps';
import { type Diagnostic, describeAlike } from '../document/diagnostics/diagnostic';
import { documentVersion, handleApp, readApp } from '../host/app';
import { seedDemoData } from '../host/demo-data';
import type { DocumentState } from '../host/documents';
import { foldersWithoutDocument } from '../host/handler-report';
import type { PreparedService } from '../host/prepared-service';
import { compareStates, isTakenUp, type ReloadResult } from '../host/reload-result';
import { drain, listen, tryToListen } from '../http/listening';
import { send } from '../http/send';
import type { StatementListener } from '../storage/connections/database-driver';
import { DatabaseUnavailable, operatorMessage } from '../storage/connections/database-errors';
import { closeDatabase, type Database, openDatabase } from '../storage/database/database';
import { openApp, type ServingApp } from './app';
import { appSettings, processContext, type ServerOptions } from './app-context';
import type { Config } from './config/config';
import { httpServer } from './http/http-server';
import { type MountedService, mountedData } from './mounted-service';
import { statementLog } from './observability/log';
import type { Metrics } from './observability/metrics';
import type { Telemetry } from './observability/telemetry';

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
    const problems: Diagnostic[] = [];
    await service.precompile(signal, (problem) => {
      // Problems move with the lines; their pointers mostly stay.
      const key = JSON.stringify([problem.file, problem.pointer, problem.message]);
      if (!known.has(key)) problems.push(problem);
      known.add(key);
      found.add(key);
    });
    for (const line of describeAlike(problems)) log.warn(line);
  }
  if (signal.aborted) return;
  for (const key of known) if (!found.has(key)) known.delete(key);
};

/** Makes the place of the application that serves now: others take its place. */
const replaceableApp = (metrics: Metrics, log: Logger, runsJobs: boolean) => {
  let current: ServingApp | undefined;
  let listener = starting;
  let compiling = new AbortController();
  let isStopped = false;
  /** The examples that do not fit their schemas, as they were logged. */
  const knownExamples = new Set<string>();
  /** Applications that serve no more, until their handlers have ended. */
  const ending = new Set<Promise<void>>();
  const end = (app: ServingApp): void => {
    app.stop();
    const ended = app.end().finally(() => ending.delete(ended));
    ending.add(ended);
  };
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
      if (isStopped) {
        end(next);
        return;
      }
      compiling.abort();
      compiling = new AbortController();
      const before = current;
      current = next;
      listener = next.connect();
      if (before !== undefined) end(before);
      if (runsJobs) next.start();
      const documents = next.states.map(({ name, state, document }) => {
        return { document: name, state, version: document ? documentVersion(document) : '' };
      });
      metrics.showDocuments(next.version, documents);
      metrics.showReload(next.states.every(isTakenUp));
      void precompile(next.services, knownExamples, log, compiling.signal);
    },
    stop(): void {
      isStopped = true;
      compiling.abort();
      current?.stop();
    },
    /** Ends the handlers of all applications; resolves to whether they have ended in time. */
    async end(milliseconds: number): Promise<boolean> {
      if (current !== undefined) end(current);
      const late = new AbortController();
      const isLate = setTimeout(milliseconds, false, late);
      const inTime = await Promise.race([Promise.all(ending).then(() => true), isLate]);
      late.abort();
      return inTime;
    },
  };
};

/** Makes what logs statements and makes spans of them; undefined where neither is asked for. */
const statementListener = (
  { databaseUrl }: Config,
  log: Logger,
  telemetry: Telemetry | undefined,
): StatementListener | undefined => {
  const listeners = [
    statementLog(log),
    telemetry?.statementsOf(databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgresql'),
  ].filter((listener) => listener !== undefined);
  if (listeners.length < 2) return listeners[0];
  return {
    isListening: () => listeners.some((listener) => listener.isListening()),
    take(...statement) {
      for (const listener of listeners) listener.take(...statement);
    },
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
 * Starts a server. What can refuse the start is asked before the database is opened; then handlers are made, which may ask it.
 * @throws Error, with nothing left open, where the port, a document, the handlers or the database cannot be used
 */
export const startServer = async (config: Config, options: ServerOptions) => {
  const { log, knownOrigin, telemetry } = options;
  const shared = await processContext(config, options);
  await telemetry?.connect(log, shared.metrics.read);
  const current = replaceableApp(shared.metrics, log, options.jobs !== false);
  const server = httpServer(current.listener, config, shared.onRefused);
  let db: Database | undefined;
  const stopping = new AbortController();
  /** Takes no more requests, finishes those in flight, closes the database. */
  const stop = async (): Promise<void> => {
    const begin = performance.now();
    current.stop();
    stopping.abort();
    if (server.listening) await drain(server, config.shutdownSeconds);
    const left = config.shutdownSeconds * 1000 - (performance.now() - begin);
    // What was cut off still ends its database.
    const leastMilliseconds = 500;
    if (!(await current.end(Math.max(left, leastMilliseconds)))) {
      log.warn('Handlers did not end in time');
    }
    if (db !== undefined) await closeDatabase(db);
    await telemetry?.stop();
  };
  try {
    // With port 0 the origin is unknown before. On another one nothing listens that cannot serve yet: a balancer would send it requests.
    const begin = config.port === 0 ? listen.bind(undefined, server) : tryToListen;
    const address = knownOrigin ?? (await begin(config.port, config.host));
    const origin = config.publicUrl ?? address;
    const settings = appSettings(config, origin, shared, options);
    const read = await readApp<MountedService>(settings);
    if (config.production) await requireDocuments(config, read.states);
    db = await openDatabase(config.databaseUrl, {
      connections: config.databaseConnections,
      listener: statementListener(config, log, telemetry),
      watch: shared.metrics.watch,
    });
    const context = { ...shared, origin, db, stopping: stopping.signal, spans: telemetry };
    const openData = (isReload: boolean) => (service: PreparedService) =>
      mountedData(service, context, isReload);
    let demo: Awaited<ReturnType<typeof seedDemoData>> | undefined;
    const build = (handled: Parameters<typeof openApp>[0]): Promise<ServingApp> =>
      openApp(handled, context, async ({ services }) => {
        demo = config.demoData
          ? await seedDemoData(services, context.db, config, shared.clock)
          : undefined;
        for (const { name, signInProblem } of services) {
          const problem = await signInProblem?.();
          if (problem !== undefined) log.warn({ service: name }, problem);
        }
      });
    const first = await build(await handleApp(settings, read, openData(false)));
    current.serve(first);
    if (!server.listening) await listen(server, config.port, config.host);
    log.info({ version: first.version }, 'Documents loaded');
    const readAgain = async (): Promise<ReloadResult> => {
      const served = current.app.states;
      // Each service is mounted again, also where nothing of it has changed.
      const before = { ...current.app, services: [] };
      const next = await readApp(settings, before);
      const app = await build(await handleApp(settings, next, openData(true), before));
      // A large application takes its time: others have a turn before it is compared and served.
      await setImmediate();
      const result = { version: app.version, ...compareStates(served, app.states) };
      current.serve(app);
      return result;
    };
    const runInTurn = inTurn();
    return {
      get app(): ServingApp {
        return current.app;
      },
      db: context.db,
      address,
      origin,
      /** Undefined where the demo data was not asked for. */
      demo,
      stop,
      /**
       * Reads the documents again, and serves the next application of those that are good, one call after the other.
       * @throws Error where none can be read, or the database fails; the previous application stays
       */
      reload: (): Promise<ReloadResult> =>
        runInTurn(() =>
          readAgain().catch((error: unknown) => {
            shared.metrics.showReload(false);
            throw error;
          }),
        ),
    };
  } catch (error) {
    await stop();
    if (!(error instanceof DatabaseUnavailable)) throw error;
    throw new Error(operatorMessage(error), { cause: error });
  }
};

/** A server that listens. */
export type RunningServer = Awaited<ReturnType<typeof startServer>>;
