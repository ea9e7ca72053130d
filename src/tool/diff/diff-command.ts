/** `diff OLD NEW`, and `diff --base REVISION [FILE…]`, compare documents. */

import { readFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { errorMessage } from '../../base/error-message';
import { recover } from '../../base/recover';
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
} from '../../contract';
import {
  exitCodes,
  formatOption,
  type MakeCommand,
  paintReport,
  type ToolContext,
} from '../command/command';
import { type ComparedDocuments, compareFiles, compareWithRevision } from './compare-files';

const levels: readonly FailOn[] = ['breaking', 'warning', 'any', 'none'];

interface DiffOptions {
  readonly format: keyof typeof diffFormats;
  readonly failOn: FailOn;
  readonly base?: string;
  readonly allow?: string;
}

const readAllowed = async (file: string | undefined): Promise<readonly AllowEntry[]> => {
  if (file === undefined) return [];
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(`The file ${file} cannot be read: ${errorMessage(error)}`);
  });
  const refuse = ({ message }: InvalidAllowFile): never => {
    throw new Error(`The file ${file} cannot be used: ${message}`);
  };
  return recover(() => readAllowFile(text), InvalidAllowFile, refuse);
};

const compare = async (
  files: readonly string[],
  base: string | undefined,
  folder: string | undefined,
): Promise<ComparedDocuments> => {
  if (base !== undefined && files.length === 0 && folder === undefined) {
    throw new Error(`Name the documents to compare with those of ${base}.`);
  }
  if (base !== undefined) return compareWithRevision(base, files, folder ?? '.');
  const [old, now] = files;
  if (old === undefined || now === undefined || files.length > 2) {
    throw new Error('Name two documents, the old one and the new one, or give --base REVISION.');
  }
  return compareFiles(old, now);
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
  context: ToolContext,
): Promise<number> => {
  const { out, err, documentsFolder } = context;
  const entries = await readAllowed(allow);
  const today = new Date().toISOString().slice(0, 10);
  const { changes: found, problems, isComplete } = await compare(files, base, documentsFolder);
  const { changes, expired, unmatched } = withoutAllowed(found, entries, today);
  for (const entry of expired) {
    err(`Expired on ${entry.expires}, and counts again: ${allowEntryText(entry)}.\n`);
  }
  for (const entry of unmatched) err(`Matches no change: ${allowEntryText(entry)}.\n`);
  const report = { changes, problems, failOn };
  out(paintReport(context, format, diffFormats[format](report)));
  return exitCodeOf(report, isComplete);
};

/** Makes the command. */
export const diffCommand: MakeCommand = (context, finish) =>
  new Command()
    .argument('[file...]', 'the old document and the new one; with --base the new ones')
    .option('--base <revision>', 'compare with the documents of a git revision')
    .addOption(formatOption(Object.keys(diffFormats)))
    .addOption(
      new Option('--fail-on <severity>', 'exit 1 from this severity on')
        .choices([...levels])
        .default('breaking'),
    )
    .option('--allow <file>', 'accepted changes (YAML)')
    .action(async (files: string[], options: DiffOptions) => {
      finish(await runDiff(files, options, context));
    });
