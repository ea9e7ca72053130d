/** Running processes: finding and killing them. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A running process. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** As `ps` shows it. */
  readonly command: string;
}

const send = (target: number): void => {
  try {
    process.kill(target, 'SIGKILL');
  } catch {
    // It ended by itself in this moment.
  }
};

const line = /^\s*(\d+)\s+(\d+)\s+(.*)$/gm;

/** Returns the processes that the given one started itself; an empty list where it has ended. */
export const childrenOf = async (parent: number | undefined): Promise<Process[]> => {
  if (parent === undefined) return [];
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  return [...stdout.matchAll(line)]
    .map(([, pid, of, command = '']) => ({ pid: Number(pid), parent: Number(of), command }))
    .filter((process) => process.parent === parent);
};

/** Kills the process; nothing happens where it is gone already. */
export const kill = (pid: number): void => {
  // Other numbers stand for groups, and for all processes that there are.
  if (pid > 1) send(pid);
};

/** Kills the group that the process leads or led, as long as one of the group is there. */
export const killGroup = (leader: number): void => {
  if (leader > 1) send(-leader);
};
