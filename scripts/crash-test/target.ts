/** A server under test with its database: kept running, reached at its port. */

import { execFile, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../machine/free-port';
import { type Supervised, supervise } from '../machine/supervise';
import { rootFolder } from '../root-folder';
import { runPair } from './failover';
import type { DatabaseKind, Machine } from './faults';
import type { Credentials } from './load/client';
import { type HttpClient, openHttpClient } from './load/http-client';
import { runPostgres, type SupervisedPostgres, type TestedDatabase } from './postgres';

const run = promisify(execFile);

/** The settings of the program. */
export interface ProgramOptions {
  /** The folder of the build. */
  readonly build: string;
  /** The folder of the checkout, whose documents it serves; that of this one by default. */
  readonly root?: string;
  readonly databaseUrl: string;
  readonly port: number;
  readonly workers: number;
  readonly logFile: string;
}

/** Makes the environment of a process of the program. */
export const environmentOf = ({
  databaseUrl,
  port,
  workers,
}: ProgramOptions): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  DATABASE_URL: databaseUrl,
  PORT: String(port),
  WORKERS: String(workers),
  NODE_ENV: 'production',
  DEMO_DATA: 'true',
  LOG_LEVEL: 'error',
  PASSWORD_COST: '10',
  RATE_LIMIT_PER_HOUR: '1000000000',
  TOKEN_TTL_SECONDS: '31536000',
});

/** Runs the server until it is stopped. */
export const runProgram = (options: ProgramOptions): Supervised =>
  supervise(
    () =>
      spawn(process.execPath, [join(options.build, 'src', 'main.js')], {
        cwd: options.root ?? rootFolder,
        env: environmentOf(options),
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      }),
    options.logFile,
  );

/** Runs the admin command; resolves to what it printed. */
export const runAdmin = async (options: ProgramOptions, ...args: string[]): Promise<string> => {
  const script = join(options.build, 'src', 'admin.js');
  const { stdout } = await run(process.execPath, [script, ...args], {
    cwd: options.root ?? rootFolder,
    env: environmentOf(options),
  });
  return stdout.trim();
};

/** The settings of a target. */
export interface TargetOptions {
  /** The folder of the build. */
  readonly build: string;
  /** Made here; PostgreSQL's user must be able to reach its parent. */
  readonly folder: string;
  readonly workers: number;
  /** PostgreSQL's binaries; undefined: SQLite. */
  readonly postgres: string | undefined;
  /** True for a server with a standby. */
  readonly hasStandby: boolean;
}

/** A server that can be killed. */
export interface Target {
  readonly machine: Machine;
  /** Returns the URL of the database that has what is committed, now. */
  databaseUrl(): string;
  readonly kind: DatabaseKind;
  /** Counts how often a server began to serve it. */
  databaseStarts(): number;
  readonly http: HttpClient;
  /** Resolves when the server and its database respond. Rejects where they do not in a minute. */
  ready(): Promise<void>;
  credentials(): Promise<Credentials>;
  stop(): Promise<void>;
}

const timeoutMilliseconds = 60_000;

interface Opened {
  readonly kind: DatabaseKind;
  readonly tested?: TestedDatabase;
  /** Present for a single server. */
  readonly server?: SupervisedPostgres;
}

const openDatabase = async (options: TargetOptions): Promise<Opened> => {
  const { folder, postgres, hasStandby } = options;
  if (postgres === undefined) return { kind: 'file' };
  const place = [join(folder, 'cluster'), join(folder, 'postgres.log')] as const;
  if (hasStandby) return { kind: 'pair', tested: await runPair(postgres, ...place) };
  const server = await runPostgres(postgres, ...place);
  return { kind: 'server', tested: server, server };
};

/** The output of the program once all its workers serve. */
const announcement = /^petstore: http/m;

const isReady = async (program: Supervised, http: HttpClient): Promise<boolean> => {
  if (!announcement.test(program.said())) return false;
  const response = await http.send({ method: 'GET', path: '/readyz' });
  return typeof response !== 'string' && response.status === 200;
};

/** Resolves when the server and its database respond. Rejects where they do not in a minute. */
export const waitUntilReady = async (
  program: Supervised,
  http: HttpClient,
  logFile: string,
): Promise<void> => {
  const deadline = performance.now() + timeoutMilliseconds;
  while (!(await isReady(program, http))) {
    if (performance.now() > deadline) {
      throw new Error(`The server does not come back; its log is ${logFile}`);
    }
    await setTimeout(20);
  }
};

/** Issues the credentials that the load needs. */
export const issueCredentials = async (
  program: ProgramOptions,
  http: HttpClient,
): Promise<Credentials> => {
  const tokenFor = (service: string, scope: string): Promise<string> => {
    const whose = ['--service', service, '--user', 'demo', '--ttl', '1000000'];
    return runAdmin(program, 'token', 'create', ...whose, '--scope', scope);
  };
  const path = '/petstore/user/login?username=demo&password=demo-password';
  const login = await http.send({ method: 'GET', path });
  if (typeof login === 'string') throw new Error(`No login is possible: ${login}`);
  return {
    pets: await tokenFor('petstore', 'write:pets read:pets'),
    ads: await tokenFor('ads', 'write:pets read:pets write:ads read:ads'),
    login: String(JSON.parse(login.body.toString())),
  };
};

/** Starts a database, if it is a server, and the program on it. */
export const openTarget = async (options: TargetOptions): Promise<Target> => {
  const { folder, build, workers } = options;
  await mkdir(folder);
  const { kind, tested, server } = await openDatabase(options);
  const databaseUrl = tested?.url ?? `sqlite:${join(folder, 'services.sqlite')}`;
  const port = await freePort();
  const logFile = join(folder, 'server.log');
  const settings = { build, databaseUrl, port, workers, logFile };
  const program = runProgram(settings);
  const http = openHttpClient(port);
  return {
    machine: { program, database: server, pair: tested?.pair },
    databaseUrl: () => tested?.primaryUrl() ?? databaseUrl,
    kind,
    databaseStarts: () => tested?.starts() ?? 0,
    http,
    ready: () => waitUntilReady(program, http, logFile),
    credentials: () => issueCredentials(settings, http),
    async stop() {
      http.close();
      await program.stop('SIGTERM');
      await tested?.stop();
    },
  };
};
