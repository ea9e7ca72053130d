/** `contract check FILE…`. */

import { Command, Option } from 'commander';
import { type CheckReport, checkFormats } from '../../src/contract';
import { checkFiles } from './check-files';
import { type ContractOutput, exitCodes, type Finish } from './contract-command';

interface CheckOptions {
  readonly format: keyof typeof checkFormats;
  readonly strict?: boolean;
  readonly allowRemote?: boolean;
  readonly references?: string;
}

const exitCodeOf = ({ problems }: CheckReport, strict: boolean): number => {
  if (problems.some(({ rule }) => rule === 'unreadable-file')) return exitCodes.unusable;
  return problems.some(({ severity }) => strict || severity === 'error')
    ? exitCodes.faulty
    : exitCodes.clean;
};

/** Makes the command. */
export const checkCommand = ({ out }: ContractOutput, finish: Finish): Command =>
  new Command('check')
    .description('Say what is wrong with OpenAPI 3.0 documents, and where')
    .argument('<file...>', 'documents, YAML or JSON')
    .addOption(
      new Option('--format <format>', 'how to say it')
        .choices(Object.keys(checkFormats))
        .default('text'),
    )
    .option('--strict', 'let warnings fail the check, too')
    .option('--allow-remote', 'follow references to other servers')
    .option('--references <folder>', 'follow references to local files below this folder')
    .action(
      async (
        files: string[],
        { format, strict = false, allowRemote = false, references }: CheckOptions,
      ) => {
        const report = await checkFiles(files, { allowRemote, referencesFolder: references });
        out(checkFormats[format](report));
        finish(exitCodeOf(report, strict));
      },
    );
