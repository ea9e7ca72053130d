/** What the system knows of running processes, and how they are killed. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A running process. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** As `ps` shows it. */
  readonly command: string;
}

const line = /^\s*(\d+)\s+(\d+)\s+(.*)$/gm;

/** The processes that the given one started itself. */
export const childrenOf = async (parent: number): Promise<Process[]> => {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  return [...stdout.matchAll(line)]
    .map(([, pid, of, command = '']) => ({ pid: Number(pid), parent: Number(of), command }))
    .filter((process) => process.parent === parent);
};

/** Kills the process, or a whole group by its negative number; false where it is gone already. */
export const kill = (pid: number): boolean => {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
};
