/** Runs one contract command and turns what it found into an exit code. */

import { Command, CommanderError, Option } from 'commander';
import { checkFiles } from './check-files';
import { jsonReport } from './json-report';
import type { Report } from './report';
import { sarifReport } from './sarif-report';
import { testCommand } from './test-command';
import { textReport } from './text-report';

/** Where the commands write. */
export interface ContractOutput {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether somebody looks on, who sees progress; false by default. */
  readonly isTerminal?: boolean;
}

const clean = 0;
const faulty = 1;
const unusable = 2;

const writers: Readonly<Record<string, (report: Report) => string>> = {
  text: textReport,
  json: jsonReport,
  sarif: sarifReport,
};

interface CheckOptions {
  readonly format: string;
  readonly strict?: boolean;
  readonly allowRemote?: boolean;
}

const exitCodeOf = ({ problems }: Report, strict: boolean): number => {
  if (problems.some(({ rule }) => rule === 'unreadable-file')) return unusable;
  return problems.some(({ severity }) => strict || severity === 'error') ? faulty : clean;
};

const contractProgram = (
  { out, err, isTerminal = false }: ContractOutput,
  finish: (exitCode: number) => void,
): Command => {
  const check = new Command('check')
    .description('Say what is wrong with OpenAPI 3.0 documents, and where')
    .argument('<file...>', 'documents, YAML or JSON')
    .addOption(
      new Option('--format <format>', 'how to say it')
        .choices(Object.keys(writers))
        .default('text'),
    )
    .option('--strict', 'let warnings fail the check, too')
    .option('--allow-remote', 'follow references to other servers')
    .action(
      async (files: string[], { format, strict = false, allowRemote = false }: CheckOptions) => {
        const report = await checkFiles(files, { allowRemote });
        out(writers[format]?.(report) ?? '');
        finish(exitCodeOf(report, strict));
      },
    );
  const test = testCommand({ out, err, isTerminal }, finish);
  const program = new Command('contract')
    .description('Looks after the documents that are served')
    .addCommand(check)
    .addCommand(test);
  for (const command of [program, check, test]) {
    // Subcommands do not inherit settings from a parent they are added to.
    command.exitOverride().configureOutput({ writeOut: out, writeErr: err });
  }
  return program;
};

/**
 * Runs `contract ARGUMENTS`. Resolves to the exit code: 0 where no errors were found, 1 where there are errors (with
 * `--strict` also for warnings), 2 for wrong use and for files that cannot be read.
 */
export const runContract = async (
  args: readonly string[],
  output: ContractOutput,
): Promise<number> => {
  let exitCode = unusable;
  const program = contractProgram(output, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has written its message itself.
    return error.exitCode === 0 ? clean : unusable;
  }
};
