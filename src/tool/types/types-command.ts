/** `types FILE --out FILE.ts` writes the types of one document. */

import { existsSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { Command } from 'commander';
import { printable } from '../../base/text/printable';
import { describeDiagnostic } from '../../document/diagnostics/diagnostic';
import { type ApiDocument, loadApiDocument } from '../../engine';
import {
  exitCodes,
  fileReport,
  formatOption,
  loadSettings,
  type MakeCommand,
  type Project,
  type ReferenceOptions,
  withReferences,
} from '../command/command';
import { writeTogether } from '../command/write-together';
import { GENERATED_MARK, printTypes } from './print-types';

/** A document, and the text of its types. */
interface TypedDocument {
  readonly document: ApiDocument;
  readonly types: string;
}

/**
 * Loads a document that code is written for.
 * @throws Error in one sentence where it has errors
 */
export const loadTyped = async (
  file: string,
  project: Project,
  options: ReferenceOptions,
): Promise<TypedDocument> => {
  const document = await loadApiDocument(file, loadSettings(project, options));
  const problem = document.diagnostics.find(({ severity }) => severity === 'error');
  if (problem !== undefined) throw new Error(describeDiagnostic(problem));
  const origin = `${printable(basename(file))} by spec-first types`;
  return { document, types: printTypes(document, origin) };
};

/**
 * Compares a file with the types that it should have.
 * @throws Error in one sentence where it has other things
 */
export const typesState = (file: string, types: string): 'missing' | 'stale' | 'up to date' => {
  if (!existsSync(file)) return 'missing';
  const text = readFileSync(file, 'utf8');
  if (text === types) return 'up to date';
  if (text === '' || text.startsWith(GENERATED_MARK)) return 'stale';
  throw new Error(`${file} has other things than generated types. Name another file for them.`);
};

interface TypesOptions extends ReferenceOptions {
  readonly out?: string;
  readonly check?: boolean;
  readonly format: string;
}

/** Brings a file of types up to date, or only compares it; gives its state. */
const writeTypes = (file: string, types: string, isCheck: boolean): string => {
  const state = typesState(file, types);
  if (state === 'up to date' || isCheck) return state;
  writeTogether(new Map([[resolve(file), types]]));
  return 'written';
};

/** Makes the command. */
export const typesCommand: MakeCommand = (context, finish) =>
  withReferences(new Command())
    .argument('<file>', 'the document, YAML or JSON')
    .option('--out <file>', 'write into this file; to standard output, where none is given')
    .option('--check', 'write nothing, and exit 1 where the file is stale')
    .addOption(formatOption(['text', 'json']))
    .action(async (file: string, options: TypesOptions) => {
      const { out: target, check = false, format } = options;
      if (check && target === undefined) throw new Error('Name the file to check with --out.');
      const { types } = await loadTyped(file, context, options);
      if (target === undefined) {
        context.out(types);
        return finish(exitCodes.clean);
      }
      const state = writeTypes(target, types, check);
      context.out(fileReport(format, [{ file: target, state }]));
      finish(check && state !== 'up to date' ? exitCodes.faulty : exitCodes.clean);
    });
