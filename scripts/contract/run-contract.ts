/** Runs one contract command and turns what it found into an exit code. */

import { Command, CommanderError } from 'commander';
import { checkCommand } from './check-command';
import { type ContractOutput, exitCodes, type Finish } from './contract-command';
import { diffCommand } from './diff/diff-command';
import { newCommand, stubsCommand } from './stubs-commands';
import { testCommand } from './test-command';

export type { ContractOutput } from './contract-command';

const contractProgram = (output: ContractOutput, finish: Finish): Command => {
  const commands = [
    checkCommand(output, finish),
    diffCommand(output, finish),
    newCommand(output, finish),
    stubsCommand(output, finish),
    testCommand(output, finish),
  ];
  const program = new Command('contract').description('Looks after the documents that are served');
  for (const command of commands) program.addCommand(command);
  for (const command of [program, ...commands]) {
    // Subcommands do not inherit settings from a parent they are added to.
    command.exitOverride().configureOutput({ writeOut: output.out, writeErr: output.err });
  }
  return program;
};

/**
 * Runs `contract ARGUMENTS`. Resolves to the exit code: 0 where nothing was found, 1 where something was, 2 for wrong use and
 * for files that cannot be read.
 * @throws Error in one sentence, where a command that writes cannot do it
 */
export const runContract = async (
  args: readonly string[],
  output: ContractOutput,
): Promise<number> => {
  let exitCode: number = exitCodes.unusable;
  const program = contractProgram(output, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has written its message itself.
    return error.exitCode === 0 ? exitCodes.clean : exitCodes.unusable;
  }
};
