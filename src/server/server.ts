/** A server from start to stop: database, application, listening, and an orderly end. */

import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { bodyMemory } from '../engine';
import { type App, buildApp } from './app';
import type { Config } from './config/config';
import { type demoCredentials, seedDemoData } from './demo-data';
import { httpServer } from './http/http-server';
import type { MetricsOptions } from './observability/metrics';
import { countMisfits, misfitLines } from './services/misfit-report';
import { runMaintenance } from './storage/collections/indexes/maintain-indexes';
import { closeDatabase, openDatabase } from './storage/database/database';

/** A server that listens. */
export interface RunningServer {
  readonly app: App;
  /** The origin of the address that it listens on. */
  readonly address: string;
  /** The origin under which callers reach it. */
  readonly origin: string;
  /** Undefined where the demo data was not asked for. */
  readonly demo: typeof demoCredentials | undefined;
  /** How many stored items are known not to fit their document: a line for each service that has some. */
  readonly misfits: readonly string[];
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
}

const starting: RequestListener = (_request, response) => {
  response.writeHead(503, { 'Retry-After': '1', 'Content-Length': 0 }).end();
};

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

/** One service after the other, beside everything else. */
const compileAhead = async (services: App['services'], signal: AbortSignal): Promise<void> => {
  for (const service of services) await service.compileAhead(signal);
};

/**
 * Starts a server. Rejects, with nothing left open, where the database, a document or the port cannot be used.
 */
export const startServer = async (
  config: Config,
  options: ServerOptions,
): Promise<RunningServer> => {
  const { log, clock = Date.now, metrics = { process: false }, knownOrigin } = options;
  const db = await openDatabase(config.databaseUrl, {
    connections: config.databaseConnections,
  });
  let listener = starting;
  const server = httpServer((request, response) => {
    listener(request, response);
  }, config);
  const bodies = bodyMemory(config.maxBodiesBytes);
  const listen = async (): Promise<string> => {
    server.listen(config.port, config.host);
    await once(server, 'listening');
    return originOf(server);
  };
  const stopping = new AbortController();
  let maintenance = Promise.resolve();
  const stop = async (): Promise<void> => {
    stopping.abort();
    if (server.listening) await drain(server, config.shutdownSeconds);
    await maintenance;
    await closeDatabase(db);
  };
  try {
    // Listening comes first: with port 0 the origin is unknown before.
    const address = knownOrigin ?? (await listen());
    const origin = config.publicUrl ?? address;
    const app = await buildApp({ config, db, log, origin, clock, metrics, bodies });
    const demo = config.demoData ? await seedDemoData(app.services, db, config, clock) : undefined;
    listener = app.listener;
    if (!server.listening) await listen();
    const pieces = app.services.flatMap(({ storage }) => storage.maintenance);
    const misfits = misfitLines(await countMisfits(app.services));
    maintenance = runMaintenance(pieces, stopping.signal)
      .then(async () => {
        if (pieces.length === 0 || stopping.signal.aborted) return;
        const found = misfitLines(await countMisfits(app.services));
        for (const line of found) if (!misfits.includes(line)) log.warn(line);
      })
      .catch((error: unknown) => {
        log.error({ err: error }, 'Stored items could not be prepared; the next start goes on');
      });
    compileAhead(app.services, stopping.signal);
    return { app, address, origin, demo, misfits, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
