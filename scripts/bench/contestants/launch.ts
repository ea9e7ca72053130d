/** Starts a server of the race and waits for its first right response; ends it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { nodeCommand } from '../../machine/cores';
import { freePort } from '../../machine/free-port';
import { atEnd } from '../../machine/run-main';
import { until } from '../../machine/until';
import { ask, type Target } from '../load/request';
import type { Credentials } from '../pets';
import { byKey, get, petPath } from '../scenarios/scenario';
import type { Program } from './programs';

/** A process that serves. */
export interface Running extends Target {
  readonly child: ChildProcess;
  readonly credentials: Credentials;
  /** Milliseconds from starting the process to its first right response. */
  readonly startMilliseconds: number;
  stop(): Promise<void>;
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await ended;
  clearTimeout(late);
};

/**
 * Starts the program on the database.
 *
 * @param core on which it runs; undefined: wherever the system likes
 * @param environment variables beside those of the program
 * @throws Error with what it wrote to standard error, where it gives no right response within a minute
 */
export const launch = async (
  program: Program,
  databaseUrl: string,
  credentials: Credentials,
  core?: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<Running> => {
  const port = await freePort();
  const begin = performance.now();
  const [command, ...args] = nodeCommand(core, program.args);
  const child = spawn(command, args, {
    cwd: program.folder,
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      ...program.environment(credentials),
      ...environment,
    },
    // The log stays on and goes nowhere.
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2000);
  });
  const stop = atEnd(() => end(child));
  const isServing = async (): Promise<boolean> => {
    const { status } = await ask(get(petPath(1), byKey(credentials)), { port });
    return status === 200 || status === 404;
  };
  const waiting = { child, pauseMilliseconds: 2 };
  await until('the server gives a right response', isServing, waiting).catch(async (cause) => {
    await stop();
    throw new Error(errors.trim(), { cause });
  });
  return { port, child, credentials, stop, startMilliseconds: performance.now() - begin };
};
