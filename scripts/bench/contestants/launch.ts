/** Starts a server of the race and waits for its first right response; ends it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { nodeCommand } from '../../machine/cores';
import { freePort } from '../../machine/free-port';
import { processorSeconds, processTree } from '../../machine/process-usage';
import { atEnd } from '../cleanup';
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

const longestStart = 60_000;
const pause = 2;

const isServing = async (target: Target, credentials: Credentials): Promise<boolean> => {
  try {
    const { status } = await ask(get(petPath(1), byKey(credentials)), target);
    return status === 200 || status === 404;
  } catch {
    return false;
  }
};

const untilServing = async (
  target: Target,
  credentials: Credentials,
  child: ChildProcess,
  errors: () => string,
): Promise<void> => {
  const limit = performance.now() + longestStart;
  while (!(await isServing(target, credentials))) {
    if (child.exitCode !== null) throw new Error(`The server ended at its start: ${errors()}`);
    if (performance.now() > limit) {
      throw new Error(`The server gave no right response within a minute: ${errors()}`);
    }
    await delay(pause);
  }
};

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
  try {
    await untilServing({ port }, credentials, child, () => errors.trim());
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, child, credentials, stop, startMilliseconds: performance.now() - begin };
};

/** Milliseconds between two looks at an idle server. */
const idlePause = 500;

/** Seconds of a processor that an idle server uses in that time at most. */
const idleSeconds = 0.05;

/** Resolves when the server is idle: after its start, ours compiles the operations of its documents. */
export const untilIdle = async ({ child }: Running): Promise<void> => {
  const spent = (): number => processorSeconds(processTree(child.pid ?? 0)) ?? 0;
  let before: number;
  let now = spent();
  do {
    await delay(idlePause);
    before = now;
    now = spent();
  } while (now - before > idleSeconds);
};
