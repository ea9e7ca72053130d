/** `check FILE…` holds documents to the specification. */

import { Command } from 'commander';
import { checkFormats } from '../contract';
import {
  type Diagnostic,
  type UnplacedDiagnostic,
  warningOf,
} from '../document/diagnostics/diagnostic';
import { hiddenOperations } from '../document/hidden-operations';
import { type ApiDocument, schemaContext, unverifiedSchemes } from '../engine';
import { type ReadDocument, readDocument } from '../host/documents';
import { exampleProblems } from '../mock';
import {
  exitCodes,
  formatOption,
  loadSettings,
  type MakeCommand,
  overlaysOf,
  type Project,
  paintReport,
  type ReferenceOptions,
  withReferences,
} from './command/command';

const verifiable = ({ securitySchemes }: ApiDocument): NonNullable<Project['verified']> => {
  const names = [...securitySchemes.values()].flatMap((securityScheme) =>
    securityScheme.type === 'http' ? [[securityScheme.scheme.toLowerCase(), true]] : [],
  );
  return { apiKey: true, bearer: true, basic: true, http: Object.fromEntries(names) };
};

/** Sorts problems as a reader goes through the files: the document first, each from its top to its end, consequences behind their cause. */
const inOrder = (file: string, problems: readonly Diagnostic[]): readonly Diagnostic[] => {
  type CauseGroup = [cause: Diagnostic, ...consequences: Diagnostic[]];
  const groups: CauseGroup[] = [];
  for (const problem of problems) {
    const last = groups.at(-1);
    if (problem.follows === true && last !== undefined) last.push(problem);
    else groups.push([problem]);
  }
  const compare = ([one]: CauseGroup, [other]: CauseGroup): number =>
    Number(one.file !== file) - Number(other.file !== file) ||
    one.file.localeCompare(other.file) ||
    one.line - other.line ||
    one.column - other.column;
  return groups.toSorted(compare).flat();
};

/** Warns once of the operations of a document that have no `operationId`, at the first of them. */
const unnamedOperations = ({ operations }: ApiDocument): readonly UnplacedDiagnostic[] => {
  const [first, ...others] = operations.filter(({ hasId }) => !hasId);
  if (first === undefined) return [];
  const { operationId, pointer } = first;
  const more = others.length === 1 ? '1 other' : `${others.length} others`;
  const which = others.length === 0 ? 'This operation has' : `This operation and ${more} have`;
  const message = `${which} no \`operationId\`: its handler is called \`'${operationId}'\`, tools and generated clients make up a name, and all of them change with its path. Give each operation one.`;
  return [warningOf('operation-id')(pointer, message, true)];
};

const checkFile = async (
  file: string,
  together: readonly string[],
  project: Project,
  options: ReferenceOptions,
): Promise<ReadDocument> => {
  const overlays = overlaysOf(file, options, project);
  const settings = { ...loadSettings(options), overlays, together };
  const { document, problems } = await readDocument(file, settings);
  if (document === undefined) return { document, problems };
  const { verified = verifiable(document), serverProblems = () => [] } = project;
  const ordered = inOrder(file, [
    ...problems,
    ...unverifiedSchemes(document, verified).map(document.locate),
    ...unnamedOperations(document).map(document.locate),
    ...serverProblems(document).map(document.locate),
    ...[...exampleProblems(document, schemaContext(document))].flat(),
  ]);
  return { document, problems: ordered };
};

/** Makes the command. */
export const checkCommand: MakeCommand = (context, finish) =>
  withReferences(new Command())
    .argument('<file...>', 'documents, YAML or JSON')
    .addOption(formatOption(Object.keys(checkFormats)))
    .option('--strict', 'fail on warnings, too')
    .action(
      async (
        files: string[],
        options: ReferenceOptions & { format: keyof typeof checkFormats; strict?: boolean },
      ) => {
        const { format, strict = false } = options;
        const read: ReadDocument[] = [];
        for (const file of files) read.push(await checkFile(file, files, context, options));
        const documents = read.flatMap(({ document }) => document ?? []);
        const hidden = documents.flatMap((document) => hiddenOperations(document, documents));
        const problems = [...read.flatMap((one) => one.problems), ...hidden];
        context.out(paintReport(context, format, checkFormats[format]({ files, problems })));
        const isFaulty = problems.some(({ severity }) => strict || severity === 'error');
        const isUnreadable = problems.some(({ rule }) => rule === 'unreadable-file');
        const exitCode = isFaulty ? exitCodes.faulty : exitCodes.clean;
        finish(isUnreadable ? exitCodes.unusable : exitCode);
      },
    );
