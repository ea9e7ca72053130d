/** Reads what a running program has logged: which process answered, and what befell the workers. */

import type { RunningProgram } from './program';

/** A line of the log, as far as tests look at it. */
export interface LogLine {
  /** The process that wrote it. */
  readonly pid: number;
  readonly msg: string;
  /** Of a line about a worker: its process. */
  readonly worker?: number;
}

/** The whole lines among the output that are JSON. */
export const logLines = (running: RunningProgram): LogLine[] =>
  running
    .output()
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

/** The processes that have answered requests, each once. */
export const answering = (lines: readonly LogLine[]): number[] => [
  ...new Set(lines.filter(({ msg }) => msg === 'request').map(({ pid }) => pid)),
];
