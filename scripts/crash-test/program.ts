/** The program under test: kept running, reached at its port. */

import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Supervised, supervise } from '../machine/supervise';
import { rootFolder } from '../root-folder';

const run = promisify(execFile);

/** How the program is run. */
export interface ProgramOptions {
  /** Where it was built. */
  readonly build: string;
  readonly databaseUrl: string;
  readonly port: number;
  readonly workers: number;
  readonly logFile: string;
}

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
export const runProgram = (options: ProgramOptions): Supervised =>
  supervise(
    () =>
      spawn(process.execPath, [join(options.build, 'src', 'main.js')], {
        cwd: rootFolder,
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
    cwd: rootFolder,
    env: environmentOf(options),
  });
  return stdout.trim();
};
