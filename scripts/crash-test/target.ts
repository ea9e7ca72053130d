/** A server under test with its database: kept running, reached at its port. */

import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../machine/free-port';
import { run } from '../machine/run-program';
import { type Supervised, supervise } from '../machine/supervise';
import { until } from '../machine/until';
import { rootFolder } from '../root-folder';
import { runPair } from './failover';
import type { Machine } from './faults';
import type { Credentials } from './load/client';
import { type HttpClient, openHttpClient } from './load/http-client';
import { runPostgres } from './postgres';

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

/** A program that is kept running. */
export interface RunningProgram {
  readonly settings: ProgramOptions;
  readonly program: Supervised;
  readonly http: HttpClient;
}

/** Makes the environment of a process of the program. */
const environmentOf = ({ databaseUrl, port, workers }: ProgramOptions): NodeJS.ProcessEnv => ({
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
export const runProgram = (settings: ProgramOptions): RunningProgram => {
  const { build, root = rootFolder, logFile, port } = settings;
  const launch = () =>
    spawn(process.execPath, [join(build, 'src', 'main.js')], {
      cwd: root,
      env: environmentOf(settings),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
  return { settings, program: supervise(launch, logFile), http: openHttpClient(port) };
};

/** Runs one of the built programs to its end: `main` or `admin`; resolves to what it printed. */
export const runOnce = (
  settings: ProgramOptions,
  name: 'main' | 'admin',
  ...args: string[]
): Promise<string> => {
  const { build, root = rootFolder } = settings;
  const options = { env: environmentOf(settings), timeout: 30_000 };
  return run([process.execPath, join(build, 'src', `${name}.js`), ...args], root, options);
};

/** The output of the program once all its workers serve. */
const announcement = /^petstore: http/m;

/** Resolves when the server and its database respond. Rejects where they do not in a minute. */
export const untilReady = ({ program, http, settings }: RunningProgram): Promise<true> =>
  until(`the server is ready; its log is ${settings.logFile}`, async () => {
    if (!announcement.test(program.said())) return false;
    const response = await http.send({ method: 'GET', path: '/readyz' });
    return typeof response !== 'string' && response.status === 200;
  });

/** Issues the credentials that the load needs. */
export const issueCredentials = async ({
  settings,
  http,
}: RunningProgram): Promise<Credentials> => {
  const tokenFor = (service: string, scope: string): Promise<string> => {
    const whose = ['--service', service, '--user', 'demo', '--ttl', '1000000'];
    return runOnce(settings, 'admin', 'token', 'create', ...whose, '--scope', scope);
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
export interface Target extends RunningProgram {
  readonly machine: Machine;
  /** Returns the URL of the database that has what is committed, now. */
  databaseUrl(): string;
  /** Counts how often a server began to serve it. */
  databaseStarts(): number;
  stop(): Promise<void>;
}

/** Starts a database, if it is a server, and the program on it. */
export const openTarget = async (options: TargetOptions): Promise<Target> => {
  const { folder, build, workers, postgres, hasStandby } = options;
  await mkdir(folder);
  const place = [join(folder, 'cluster'), join(folder, 'postgres.log')] as const;
  const pair = postgres !== undefined && hasStandby ? await runPair(postgres, ...place) : undefined;
  const database =
    postgres !== undefined && !hasStandby ? await runPostgres(postgres, ...place) : undefined;
  const databaseUrl = (pair ?? database)?.url ?? `sqlite:${join(folder, 'services.sqlite')}`;
  const logFile = join(folder, 'server.log');
  const running = runProgram({ build, databaseUrl, port: await freePort(), workers, logFile });
  const { program, http } = running;
  return {
    ...running,
    machine: { program, database, pair },
    databaseUrl: () => pair?.primaryUrl() ?? databaseUrl,
    databaseStarts: () => pair?.starts() ?? database?.server.starts() ?? 0,
    async stop() {
      http.close();
      await program.stop('SIGTERM');
      await pair?.stop();
      await database?.server.stop('SIGINT');
    },
  };
};
