/** The contract commands, and the exit codes that they end with. */

import { Command, CommanderError, Option } from 'commander';
import { versions } from '../../src/document/versions/versions';
import { foldersOf } from '../generate/generated-files';
import { checkCommand } from './check-command';
import { type ContractOutput, exitCodes, type Finish } from './contract-command';
import { diffCommand } from './diff/diff-command';
import { addService } from './stubs/add-service';
import { addStubs } from './stubs/add-stubs';
import { testCommand } from './test-command';
import { upgradeCommand } from './upgrade-command';

interface NewOptions {
  readonly title?: string;
  readonly openapi: string;
}

/** Makes the command `new`. */
export const newCommand = ({ out }: ContractOutput, finish: Finish): Command =>
  new Command('new')
    .description('Write a small document, and handlers that serve it, for a new service')
    .argument('<name>', 'of the document, of the folder of its handlers, and of its base path')
    .option('--title <title>', 'of the document; its name, where none is given')
    .addOption(
      new Option('--openapi <version>', 'of the document')
        .choices(versions.map((version) => version.name))
        .default(versions[0]?.name),
    )
    .action(async (name: string, options: NewOptions) => {
      const lines = await addService(foldersOf(process.cwd(), process.env), name, options);
      out([...lines, `npm start serves it at /${name}`].map((line) => `${line}\n`).join(''));
      finish(exitCodes.clean);
    });

/** Makes the command `stubs`. */
export const stubsCommand = ({ out }: ContractOutput, finish: Finish): Command =>
  new Command('stubs')
    .description('Write a handler, which answers 501, for each operation that has none')
    .argument('[name...]', 'services; all of them, where none is named')
    .action(async (names: string[]) => {
      const lines = await addStubs(foldersOf(process.cwd(), process.env), names);
      const said = lines.length > 0 ? lines : ['Every operation has a handler'];
      out(said.map((line) => `${line}\n`).join(''));
      finish(exitCodes.clean);
    });

export type { ContractOutput } from './contract-command';

const contractProgram = (output: ContractOutput, finish: Finish): Command => {
  const commands = [
    checkCommand(output, finish),
    diffCommand(output, finish),
    newCommand(output, finish),
    stubsCommand(output, finish),
    testCommand(output, finish),
    upgradeCommand(output, finish),
  ];
  const program = new Command('contract').description('Checks, compares and tests API documents');
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
