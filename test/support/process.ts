/** Programs as processes: what they print, how they end, and that none of them is left. */

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll } from '@jest/globals';
import { killGroup } from '../../scripts/machine/processes';
import { until } from '../../scripts/machine/until';

/** A process that a test has started. */
export interface StartedProcess {
  readonly child: ChildProcess;
  /** Returns what it has printed so far, in both streams together. */
  output(): string;
  out(): string;
  err(): string;
  /** Resolves to the exit code, null after a signal, when it and all that writes to its streams have ended. */
  readonly ended: Promise<number | null>;
  /** Waits until it has printed what a pattern matches; resolves to the pattern's first group, else the match. */
  printed(pattern: RegExp, milliseconds?: number): Promise<string>;
  /** Sends the signal; resolves as `ended` does. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

const running = new Set<StartedProcess>();

afterAll(async () => {
  const left = [...running];
  for (const { child } of left) killGroup(Number(child.pid));
  await Promise.all(left.map(({ ended }) => ended));
});

/** Starts a program as the leader of a group, whose output is kept; the group is killed at the end of the test file. */
export const startProcess = (
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): StartedProcess => {
  const child = spawn(command, args, {
    ...{ stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    ...options,
  });
  const texts = { output: '', out: '', err: '' };
  for (const name of ['out', 'err'] as const) {
    child[`std${name}`]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
      texts.output += text;
    });
  }
  const ended = once(child, 'close').then(([code]) => {
    running.delete(started);
    return typeof code === 'number' ? code : null;
  });
  const started: StartedProcess = {
    child,
    output: () => texts.output,
    out: () => texts.out,
    err: () => texts.err,
    ended,
    printed: (pattern, timeoutMilliseconds = 20_000) => {
      const look = (): string => {
        const [all, group = all] = pattern.exec(texts.output) ?? [];
        if (group === undefined) throw new Error(`It has printed ${texts.output}`);
        return group;
      };
      return until(`it prints ${pattern}`, look, { child, timeoutMilliseconds });
    },
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
  running.add(started);
  return started;
};

/** Starts a module by this Node.js; see startProcess. */
export const startNode = (args: readonly string[], options?: SpawnOptions): StartedProcess =>
  startProcess(process.execPath, args, options);
