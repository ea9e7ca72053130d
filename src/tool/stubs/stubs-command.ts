/** `stubs FILE --out FILE.ts` writes a handler for each operation that has none. */

import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { isWord } from '../../host/handler-report';
import {
  exitCodes,
  fileReport,
  formatOption,
  type MakeCommand,
  type ReferenceOptions,
  withReferences,
} from '../command/command';
import { writeTogether } from '../command/write-together';
import { operationGroups } from '../types/print-types';
import { docComment } from '../types/type-text';
import { loadTyped, typesState } from '../types/types-command';
import { compilerFor, insertHandlers } from './insert-handlers';
import { printStub, typeImport } from './print-stub';

const printStubs = (operationIds: readonly string[]): string =>
  operationIds.map((id) => printStub(id, '  ')).join('\n\n');

/** Returns the path of a file as a module imports it, which all settings of the compiler resolve. */
const importPath = (from: string, file: string): string => {
  const path = relative(dirname(from), file)
    .replaceAll('\\', '/')
    .replace(/\.([cm]?)ts$/, '.$1js');
  return `${path.startsWith('.') ? '' : './'}${path}`;
};

/**
 * Writes a module of handlers.
 * @param engine the module that has the type Handlers
 */
const newModule = (
  file: string,
  operationIds: readonly string[],
  types: string,
  engine: string,
): string => `${docComment([`Handlers of the operations of ${basename(file)}.`])}
${typeImport('Handlers', engine)}
${typeImport('Operations', types)}

export const handlers: Handlers<Operations> = {
${printStubs(operationIds)}
};
`;

/**
 * Finds the files to be written; the handlers that cannot be, with the reason.
 * @param writeNew writes the module where there is none yet
 */
const stubsFor = (target: string, operationIds: readonly string[], writeNew: () => string) => {
  if (!existsSync(target)) {
    return { files: [{ file: target, text: writeNew(), state: 'written' }], missing: [] };
  }
  const before = readFileSync(target, 'utf8');
  // A name may be that of a handler that the module takes from another.
  const missing = operationIds.filter((id) => !isWord(id, before));
  if (missing.length === 0) return { files: [], missing };
  const compiler = compilerFor(dirname(target));
  if (compiler === undefined) {
    return { files: [], missing, reason: 'npm install --save-dev typescript@5 has them inserted' };
  }
  const place = { interfaces: ['Operations'], mayBeObject: true };
  const text = insertHandlers(compiler, before, place, missing);
  if (text === undefined) {
    return { files: [], missing, reason: 'it has no object of the type Handlers<Operations>' };
  }
  return { files: [{ file: target, state: `added ${missing.join(', ')}`, text }], missing: [] };
};

/** Makes the command. */
export const stubsCommand: MakeCommand = (context, finish) =>
  withReferences(new Command())
    .argument('<file>', 'the document, YAML or JSON')
    .requiredOption('--out <file>', 'the module of the handlers; one that is there keeps its own')
    .option('--types <file>', "the file of the document's types; NAME.ts beside it by default")
    .option('--import <module>', 'the module that has the type Handlers', 'spec-first')
    .addOption(formatOption(['text', 'json']))
    .action(
      async (
        file: string,
        given: ReferenceOptions & { out: string; types?: string; import: string; format: string },
      ) => {
        const { document, types, exitCode } = await loadTyped(file, context, given);
        const { out: target, types: typesFile = join(dirname(target), `${document.name}.ts`) } =
          given;
        if (resolve(typesFile) === resolve(target)) {
          throw new Error(`${target} is the file of the types. Name another for the handlers.`);
        }
        const groups = operationGroups(document).map(({ operations }) => operations);
        const ids = groups.flat().map(({ operationId }) => operationId);
        // The handlers compile with the types of today's document alone.
        const isStale = typesState(typesFile, types) !== 'up to date';
        const typed = isStale ? [{ file: typesFile, text: types, state: 'written' }] : [];
        const writeNew = () => newModule(file, ids, importPath(target, typesFile), given.import);
        const { files: written, missing, reason } = stubsFor(target, ids, writeNew);
        const files = [...typed, ...written];
        writeTogether(new Map(files.map((file) => [resolve(file.file), file.text])));
        const isText = given.format === 'text';
        const states = files.map((file) => ({ file: file.file, state: file.state }));
        context.out(fileReport(given.format, states, { missing }));
        if (reason === undefined) {
          if (isText && written.length === 0) context.out('Every operation has a handler\n');
          finish(exitCode);
          return;
        }
        if (isText) context.out(`${printStubs(missing)}\n`);
        context.err(`Add handlers for ${missing.join(', ')} to ${target}: ${reason}\n`);
        finish(exitCodes.faulty);
      },
    );
