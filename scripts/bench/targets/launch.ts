/** Starts a contestant's process and waits for its first right response; ends it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { nodeCommand } from '../../machine/cores';
import { freePort } from '../../machine/free-port';
import type { Credentials } from '../data/pets';
import { ask, type Target } from '../load/request';
import { atInterruption } from '../machine/interrupt';
import { byKey, get, petPath } from '../scenarios/requests';
import type { Running } from './contestant';

/** How a process is started. */
export interface Launch {
  /** The script and its arguments; the port is known only now. */
  readonly args: (port: number) => readonly string[];
  readonly environment: (port: number) => Readonly<Record<string, string>>;
  readonly folder: string;
  readonly core: number | undefined;
  readonly credentials: Credentials;
  /** Called when the process has ended. */
  readonly cleanUp?: () => void | Promise<void>;
  /** What is asked for first; the stored pet 1 unless another is given. */
  readonly firstPath?: string;
}

const longestStart = 60_000;
const pause = 2;

const respondsRight = async (target: Target, launch: Launch): Promise<boolean> => {
  try {
    const request = get(launch.firstPath ?? petPath(1), byKey(launch.credentials));
    return (await ask(request, target)).status === 200;
  } catch {
    return false;
  }
};

const firstResponse = async (
  target: Target,
  launch: Launch,
  child: ChildProcess,
  said: () => string,
) => {
  const limit = performance.now() + longestStart;
  while (!(await respondsRight(target, launch))) {
    if (child.exitCode !== null) throw new Error(`it ended at its start: ${said()}`);
    if (performance.now() > limit)
      throw new Error(`it gave no right response in a minute: ${said()}`);
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
 * Starts the process.
 * @throws Error with what it wrote to standard error, where it gives no right response within a minute
 */
export const launch = async (how: Launch): Promise<Running> => {
  const port = await freePort();
  const target = { port };
  const begin = performance.now();
  const [command, ...args] = nodeCommand(how.core, how.args(port));
  const child = spawn(command, args, {
    cwd: how.folder,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...how.environment(port) },
    // The log stays on and goes nowhere. Scripts loaded in front of the program exchange messages.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2000);
  });
  const stop = async (): Promise<void> => {
    await end(child);
    await how.cleanUp?.();
    callOff();
  };
  const callOff = atInterruption(stop);
  try {
    await firstResponse(target, how, child, () => said.trim());
  } catch (error) {
    await stop();
    throw error;
  }
  const startMilliseconds = performance.now() - begin;
  return { ...target, credentials: how.credentials, startMilliseconds, stop, child };
};
