/** Reads what a running program has logged: which process answered, and what befell the workers. */

import { until } from '../../scripts/machine/until';
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

/** Asks over fresh connections until both workers have answered; resolves to their answers and processes. */
export const askEveryWorker = async <Answer>(
  running: RunningProgram,
  ask: () => Promise<Answer>,
): Promise<{ readonly answers: readonly Answer[]; readonly pids: readonly number[] }> => {
  const before = logLines(running).length;
  const answers: Answer[] = [];
  const pids = await until('both workers answer', async () => {
    answers.push(await ask());
    const found = answering(logLines(running).slice(before));
    return found.length === 2 ? found : undefined;
  });
  return { answers, pids };
};
