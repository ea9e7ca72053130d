/** `contract check FILE…`. */

import { Command, Option } from 'commander';
import { type CheckReport, checkFormats } from '../../src/contract';
import type { Diagnostic } from '../../src/document/diagnostics/diagnostic';
import { UnreadableDocument } from '../../src/document/source/source-text';
import {
  type ApiDocument,
  exampleProblems,
  loadApiDocument,
  schemaContext,
  unverifiedSchemes,
} from '../../src/engine';
import { csvCodec } from '../../src/server/formats/csv';
import type { securityHandlersFor } from '../../src/server/identity/security-handlers';
import { type ContractOutput, exitCodes, type Finish } from './contract-command';

/** Settings of a check. */
interface CheckSettings {
  readonly allowRemote: boolean;
  /** The folder below which documents may refer to local files; their own where this is not given. */
  readonly referencesFolder?: string | undefined;
}

/** The kinds of security schemes that the server verifies. */
const verified = { apiKey: true, bearer: true } satisfies Record<
  keyof ReturnType<typeof securityHandlersFor> & keyof Parameters<typeof unverifiedSchemes>[1],
  true
>;

const securityFindings = (document: ApiDocument): Diagnostic[] =>
  unverifiedSchemes(document, verified).map(document.locate);

/** Each cause with the consequences that follow it. */
const withConsequences = (problems: readonly Diagnostic[]): readonly Diagnostic[][] => {
  const groups: Diagnostic[][] = [];
  for (const problem of problems) {
    const last = groups.at(-1);
    if (problem.follows === true && last !== undefined) last.push(problem);
    else groups.push([problem]);
  }
  return groups;
};

const compare = (file: string, one: Diagnostic, other: Diagnostic): number =>
  Number(one.file !== file) - Number(other.file !== file) ||
  one.file.localeCompare(other.file) ||
  one.line - other.line ||
  one.column - other.column;

/** As a reader goes through the files: the document first, each from its top to its end. */
const inOrder = (file: string, problems: readonly Diagnostic[]): readonly Diagnostic[] =>
  withConsequences(problems)
    .toSorted(([one], [other]) => (one && other ? compare(file, one, other) : 0))
    .flat();

const checkFile = async (file: string, settings: CheckSettings): Promise<readonly Diagnostic[]> => {
  try {
    const document = await loadApiDocument(file, { ...settings, codecs: [csvCodec] });
    return inOrder(file, [
      ...document.diagnostics,
      ...securityFindings(document),
      ...[...exampleProblems(document, schemaContext(document))].flat(),
    ]);
  } catch (error) {
    if (error instanceof UnreadableDocument) return [error.diagnostic];
    throw error;
  }
};

/** Checks the files one after the other. */
export const checkFiles = async (
  files: readonly string[],
  settings: CheckSettings,
): Promise<CheckReport> => {
  const problems: Diagnostic[] = [];
  for (const file of files) problems.push(...(await checkFile(file, settings)));
  return { files, problems };
};

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
    .description('Check OpenAPI documents')
    .argument('<file...>', 'documents, YAML or JSON')
    .addOption(
      new Option('--format <format>', 'the format of the report')
        .choices(Object.keys(checkFormats))
        .default('text'),
    )
    .option('--strict', 'fail on warnings, too')
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
