/** Runs the commands in this process, and keeps what they print: those of `spec-first`, and those of `npm run contract`. */

import { spawnSync } from 'node:child_process';
import { runContract } from '../../../scripts/contract/run-contract';
import type { ToolContext } from '../../../src/tool/command/command';
import { runProgram } from '../../../src/tool/command/run-program';
import { commands } from '../../../src/tool/commands';
import { type Outcome, wordsOf } from '../../support/sessions';

const outcomeOf = async (
  run: (context: ToolContext) => Promise<number>,
  more: Partial<ToolContext> = {},
): Promise<Outcome> => {
  const written = { out: '', err: '' };
  const writeTo = (name: 'out' | 'err') => (text: string) => {
    written[name] += text;
  };
  const exitCode = await run({ ...more, out: writeTo('out'), err: writeTo('err') });
  return { exitCode, ...written };
};

/** Runs a command of this project. */
export const runCommand = (...args: readonly string[]): Promise<Outcome> =>
  outcomeOf((context) => runContract(args, context));

const program = { name: 'spec-first', description: 'A test', version: '1.2.3', commands };

/** Runs a command of the program that is installed in other projects. */
export const runTool = (
  args: readonly string[],
  more: Partial<ToolContext> = {},
): Promise<Outcome> => outcomeOf((context) => runProgram(program, args, context), more);

/** Runs a line of a session: `spec-first …`, `contract …` for `npm run contract -- …`, or what a shell runs. */
export const runLine = async (line: string): Promise<Outcome> => {
  const [name, ...args] = wordsOf(line);
  if (name === 'spec-first') return runTool(args);
  if (name === 'contract') return runCommand(...args);
  if (name === 'cd') {
    process.chdir(String(args[0]));
    return { exitCode: 0, out: '', err: '' };
  }
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
  return { exitCode: status ?? 1, out: stdout, err: stderr };
};
