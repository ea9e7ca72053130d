/** `stubs FILE --out FILE.ts` writes a handler for each operation that has none. */

import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import {
  exitCodes,
  type FileState,
  fileReport,
  formatOption,
  type MakeCommand,
  type ReferenceOptions,
  type ToolContext,
  withReferences,
} from '../command/command';
import { writeTogether } from '../command/write-together';
import { operationGroups } from '../types/print-types';
import { docComment } from '../types/type-text';
import { loadTyped, typesState } from '../types/types-command';
import { compilerFor, insertHandlers } from './insert-handlers';
import { printStub, typeImport } from './print-stub';

interface StubsOptions extends ReferenceOptions {
  readonly out: string;
  readonly types?: string;
  readonly import: string;
  readonly format: string;
}

/** The path by which a module imports types of another, as all settings of the compiler resolve it. */
const importPath = (from: string, file: string): string => {
  const path = relative(dirname(from), file).replaceAll('\\', '/');
  return `${path.startsWith('.') ? '' : './'}${path.replace(/\.([cm]?)ts$/, '.$1js')}`;
};

const printStubs = (operationIds: readonly string[]): string =>
  operationIds.map((id) => printStub(id, '  ')).join('\n\n');

const newModule = (
  file: string,
  operationIds: readonly string[],
  { out, types = '', import: engine }: StubsOptions,
): string => `${docComment([`Handlers of the operations of ${basename(file)}.`])}
${typeImport('Handlers', engine)}
${typeImport('Operations', importPath(out, types))}

export const handlers: Handlers<Operations> = {
${printStubs(operationIds)}
};
`;

/** Tells whether a name stands in a text as a word of its own: a handler that the module has, or takes from another. */
const standsIn = (text: string, name: string): boolean =>
  text.split(name).some((before, at, parts) => {
    const after = parts[at + 1];
    return after !== undefined && !/[\w$]$/.test(before) && !/^[\w$]/.test(after);
  });

/** The outcome: the module's new text, or the reason why the handlers are not in it. */
type Outcome = { readonly text: string } | { readonly advice: string };

const extended = (file: string, text: string, missing: readonly string[]): Outcome => {
  if (missing.length === 0) return { text };
  const compiler = compilerFor(dirname(file));
  if (compiler === undefined) {
    return { advice: 'Add these, or install typescript@5, with which they are inserted.' };
  }
  const place = { interfaces: ['Operations'], mayBeObject: true };
  const longer = insertHandlers(compiler, text, place, missing);
  if (longer !== undefined) return { text: longer };
  return { advice: 'Add these: it has no object of the type Handlers<Operations>.' };
};

/** What is written into the files of the types and of the handlers, with their states; only what differs. */
const changedFiles = (
  [typesFile, types]: readonly [string, string],
  [file, before, after]: readonly [string, string | undefined, string | undefined],
  added: readonly string[],
): readonly (FileState & { readonly text: string })[] => {
  const state = before === undefined ? 'written' : `added ${added.join(', ')}`;
  return [
    // The handlers compile with the types of today's document alone.
    ...(typesState(typesFile, types) === 'up to date'
      ? []
      : [{ file: typesFile, text: types, state: 'written' }]),
    ...(after === undefined || after === before ? [] : [{ file, text: after, state }]),
  ];
};

const runStubs = async (
  file: string,
  options: StubsOptions,
  { out, err, ...context }: ToolContext,
): Promise<number> => {
  const { out: target, format } = options;
  const { document, types } = await loadTyped(file, context, options);
  const typesFile = options.types ?? join(dirname(target), `${document.name}.ts`);
  if (resolve(typesFile) === resolve(target)) {
    throw new Error(`${target} is the file of the types. Name another for the handlers.`);
  }
  const ids = operationGroups(document).flatMap(({ operations }) =>
    operations.map(({ operationId }) => operationId),
  );
  const before = existsSync(target) ? readFileSync(target, 'utf8') : undefined;
  const missing = ids.filter((id) => before === undefined || !standsIn(before, id));
  const outcome =
    before === undefined
      ? { text: newModule(file, ids, { ...options, types: typesFile }) }
      : extended(target, before, missing);
  const after = 'text' in outcome ? outcome.text : undefined;
  const files = changedFiles([typesFile, types], [target, before, after], missing);
  writeTogether(new Map(files.map(({ file: path, text }) => [resolve(path), text])));
  const states = files.map(({ text: _, ...state }) => state);
  const isText = format === 'text';
  out(fileReport(format, states, { missing: after === undefined ? missing : [] }));
  if (isText && missing.length === 0) out('Every operation has a handler\n');
  if (!('advice' in outcome)) return exitCodes.clean;
  if (isText) out(`${printStubs(missing)}\n`);
  err(`${target} has no handler for ${missing.join(', ')}. ${outcome.advice}\n`);
  return exitCodes.faulty;
};

/** Makes the command. */
export const stubsCommand: MakeCommand = (context, finish) =>
  withReferences(new Command())
    .argument('<file>', 'the document, YAML or JSON')
    .requiredOption('--out <file>', 'the module of the handlers; one that is there keeps its own')
    .option('--types <file>', "the file of the document's types; NAME.ts beside it by default")
    .option('--import <module>', 'the module that has the type Handlers', 'spec-first')
    .addOption(formatOption(['text', 'json']))
    .action(async (file: string, options: StubsOptions) => {
      finish(await runStubs(file, options, context));
    });
