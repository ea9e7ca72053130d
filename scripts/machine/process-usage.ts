/** Processor time and resident memory of running processes (Linux; undefined elsewhere). */

import { readdirSync, readFileSync } from 'node:fs';

/** The clock of `/proc`: a hundred ticks a second on every system that Node.js runs on. */
const ticksPerSecond = 100;

/** The text of a file under /proc; empty where the process or thread has just ended. */
const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

const threadsOf = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
};

/** Returns the process and all its descendants. */
export const processTree = (pid: number): number[] => {
  const children = threadsOf(pid).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(processTree)];
};

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/** Returns the seconds that the processes have spent on processors so far, threads included. */
export const processorSeconds = (pids: readonly number[]): number | undefined =>
  process.platform === 'linux'
    ? sum(
        pids
          .flatMap((pid) => threadsOf(pid).map((thread) => `/proc/${pid}/task/${thread}/schedstat`))
          .map((file) => Number(textOf(file).split(' ', 1)[0]) / 1e9),
      )
    : undefined;

/** Returns the bytes of memory that the processes hold. */
export const residentBytes = (pids: readonly number[]): number | undefined =>
  process.platform === 'linux'
    ? sum(
        pids.map((pid) => {
          const line = /^VmRSS:\s*(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`));
          return Number(line?.[1] ?? 0) * 1024;
        }),
      )
    : undefined;

/** Returns the seconds that a core has been busy so far; the time that a host took from it counts, too. */
export const coreBusySeconds = (core: number): number | undefined => {
  const line = new RegExp(`^cpu${core} (.*)$`, 'm').exec(textOf('/proc/stat'))?.[1];
  if (line === undefined) return undefined;
  const [user = 0, nice = 0, system = 0, _idle, _waiting, irq = 0, soft = 0, stolen = 0] = line
    .split(' ')
    .map(Number);
  return (user + nice + system + irq + soft + stolen) / ticksPerSecond;
};
