/** `contract diff OLD NEW`, and `contract diff --base REVISION [FILE…]`. */

import { readFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { errorMessage } from '../../../src/base/error-message';
import {
  type AllowEntry,
  allowEntryText,
  type DiffReport,
  diffFormats,
  type FailOn,
  InvalidAllowFile,
  isFailing,
  readAllowFile,
  withoutAllowed,
} from '../../../src/contract';
import { type ContractOutput, exitCodes, type Finish } from '../contract-command';
import { type ComparedDocuments, compareFiles, compareWithRevision } from './compare-files';
import { UnreadableRevision } from './revision-files';

const levels: readonly FailOn[] = ['breaking', 'warning', 'any', 'none'];

interface DiffOptions {
  readonly format: keyof typeof diffFormats;
  readonly failOn: FailOn;
  readonly base?: string;
  readonly allow?: string;
}

/** Wrong use, or a file that cannot be read. The message is a sentence for the caller. */
class Unusable extends Error {}

const readAllowed = async (file: string | undefined): Promise<readonly AllowEntry[]> => {
  if (file === undefined) return [];
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Unusable(`The file ${file} cannot be read: ${errorMessage(error)}`);
  });
  try {
    return readAllowFile(text);
  } catch (error) {
    if (!(error instanceof InvalidAllowFile)) throw error;
    throw new Unusable(`The file ${file} cannot be used: ${error.message}`);
  }
};

const compare = async (
  files: readonly string[],
  base: string | undefined,
): Promise<ComparedDocuments> => {
  if (base !== undefined) return compareWithRevision(base, files, 'specs');
  const [old, now] = files;
  if (old === undefined || now === undefined || files.length > 2) {
    throw new Unusable('Name two documents, the old one and the new one, or give --base REVISION.');
  }
  return compareFiles(old, now);
};

const sentenceOf = (error: unknown): string => {
  if (error instanceof Unusable) return error.message;
  if (error instanceof UnreadableRevision) return `The revision cannot be read: ${error.message}`;
  throw error;
};

/** Errors of the documents may hide changes: the comparison fails with them, whatever it has found. */
const exitCodeOf = ({ changes, problems, failOn }: DiffReport, isComplete: boolean): number => {
  if (!isComplete) return exitCodes.unusable;
  const isFaulty = problems.length > 0 || changes.some((change) => isFailing(change, failOn));
  return isFaulty ? exitCodes.faulty : exitCodes.clean;
};

const runDiff = async (
  files: readonly string[],
  { format, failOn, base, allow }: DiffOptions,
  { out, err }: ContractOutput,
): Promise<number> => {
  const entries = await readAllowed(allow);
  const today = new Date().toISOString().slice(0, 10);
  const { changes: found, problems, isComplete } = await compare(files, base);
  const { changes, expired, unmatched } = withoutAllowed(found, entries, today);
  for (const entry of expired) {
    err(`Expired on ${entry.expires}, and counts again: ${allowEntryText(entry)}.\n`);
  }
  for (const entry of unmatched) err(`Matches no change: ${allowEntryText(entry)}.\n`);
  const report = { changes, problems, failOn };
  out(diffFormats[format](report));
  return exitCodeOf(report, isComplete);
};

/** Makes the command. */
export const diffCommand = (output: ContractOutput, finish: Finish): Command =>
  new Command('diff')
    .description('Compare two OpenAPI documents and list breaking changes')
    .argument('[file...]', 'the old document and the new one; with --base the new ones (specs/)')
    .option('--base <revision>', 'compare with the documents of a git revision')
    .addOption(
      new Option('--format <format>', 'the format of the report')
        .choices(Object.keys(diffFormats))
        .default('text'),
    )
    .addOption(
      new Option('--fail-on <severity>', 'exit 1 from this severity on')
        .choices([...levels])
        .default('breaking'),
    )
    .option('--allow <file>', 'accepted changes (YAML)')
    .action(async (files: string[], options: DiffOptions) => {
      try {
        finish(await runDiff(files, options, output));
      } catch (error) {
        output.err(`${sentenceOf(error)}\n`);
        finish(exitCodes.unusable);
      }
    });
