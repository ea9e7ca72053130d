/** Keeps the server under test and the load generator on separate processor cores, where the system lets us. */

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The cores of the server and of the load generator. */
export interface Cores {
  readonly server: number;
  readonly load: number;
  /** All but the server's. */
  readonly others: readonly number[];
}

/** Reads the numbers of a list such as `0-3,8`. */
export const coreNumbers = (list: string): number[] =>
  list.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });

const allowedCores = (): number[] => {
  const status = readFileSync('/proc/self/status', 'utf8');
  return coreNumbers(/^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '');
};

/** Finds two cores of those that this process may use, with `taskset` to pin to them; undefined elsewhere. */
export const findCores = (): Cores | undefined => {
  if (process.platform !== 'linux') return undefined;
  if (spawnSync('taskset', ['--version']).status !== 0) return undefined;
  const [server, ...others] = allowedCores();
  const [load] = others;
  return server === undefined || load === undefined ? undefined : { server, load, others };
};

/** Moves the process, with all its threads, to the cores. */
export const pinProcess = (pid: number, ...cores: readonly number[]): void => {
  execFileSync('taskset', ['-a', '-p', '-c', cores.join(), String(pid)], { stdio: 'ignore' });
};

/** Moves this process to the core. */
export const pinSelf = (core: number): void => pinProcess(process.pid, core);

/** Returns the command that runs Node.js with the arguments on the core; the process keeps its id. */
export const nodeCommand = (
  core: number | undefined,
  args: readonly string[],
): readonly [string, ...string[]] =>
  core === undefined
    ? [process.execPath, ...args]
    : ['taskset', '-c', String(core), process.execPath, ...args];
