/** Keeps the server under test and the load generator on separate processor cores, where the system lets us. */

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The cores of a measurement. */
export interface Cores {
  readonly server: number;
  /** All but the server's: the first of them is the load generator's. */
  readonly others: readonly number[];
}

/** Lists the cores that this process may use: `0-3,8` in the words of the system. */
const allowedCores = (): number[] => {
  const status = readFileSync('/proc/self/status', 'utf8');
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '';
  return list.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
};

/** Moves the process, with all its threads, to the cores. */
export const pinProcess = (pid: number, ...cores: readonly number[]): void => {
  execFileSync('taskset', ['-a', '-p', '-c', cores.join(), String(pid)], { stdio: 'ignore' });
};

/** Moves this process to one of the cores that it may use, and finds another for servers; undefined where nothing can be pinned. */
export const takeCores = (): Cores | undefined => {
  if (process.platform !== 'linux') return undefined;
  if (spawnSync('taskset', ['--version']).status !== 0) return undefined;
  const [server, ...others] = allowedCores();
  const [load] = others;
  if (server === undefined || load === undefined) return undefined;
  pinProcess(process.pid, load);
  return { server, others };
};

/** Returns the command that runs Node.js with the arguments on the core; the process keeps its id. */
export const nodeCommand = (
  core: number | undefined,
  args: readonly string[],
): readonly [string, ...string[]] =>
  core === undefined
    ? [process.execPath, ...args]
    : ['taskset', '-c', String(core), process.execPath, ...args];
