/** `types FILE --out FILE.ts` writes the types of one document. */

import { existsSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { Command } from 'commander';
import { printable } from '../../base/text/printable';
import { describeDiagnostic } from '../../document/diagnostics/diagnostic';
import { loadApiDocument } from '../../engine';
import {
  exitCodes,
  fileReport,
  formatOption,
  loadSettings,
  type MakeCommand,
  type ReferenceOptions,
  type ToolContext,
  withReferences,
} from '../command/command';
import { writeTogether } from '../command/write-together';
import { GENERATED_MARK, printTypes } from './print-types';

/**
 * Loads a document that code is written for, as far as it is served, and makes its types. Writes its errors to standard error; what they
 * concern is not served, and has no types.
 * @throws UnreadableDocument
 */
export const loadTyped = async (file: string, context: ToolContext, options: ReferenceOptions) => {
  const { name, schemas, operations, webhooks, diagnostics } = await loadApiDocument(
    file,
    loadSettings(options),
  );
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  for (const error of errors) context.err(`${describeDiagnostic(error)}\n`);
  const served = operations.filter(({ invalidReason }) => invalidReason === undefined);
  const others = operations.filter(({ invalidReason }) => invalidReason !== undefined);
  const document = { name, schemas, operations: served, webhooks };
  const types = printTypes(document, `${printable(basename(file))} by spec-first types`, others);
  return { document, types, exitCode: errors.length > 0 ? exitCodes.faulty : exitCodes.clean };
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

/** Makes the command. */
export const typesCommand: MakeCommand = (context, finish) =>
  withReferences(new Command())
    .argument('<file>', 'the document, YAML or JSON')
    .option('--out <file>', 'write into this file; to standard output, where none is given')
    .option('--check', 'write nothing, and exit 1 where the file is stale')
    .addOption(formatOption(['text', 'json']))
    .action(
      async (
        file: string,
        options: ReferenceOptions & { out?: string; check?: boolean; format: string },
      ) => {
        const { out: target, check = false, format } = options;
        if (check && target === undefined) throw new Error('Name the file to check with --out.');
        const { types, exitCode } = await loadTyped(file, context, options);
        if (target === undefined) {
          context.out(types);
          return finish(exitCode);
        }
        const state = typesState(target, types);
        const isStale = state !== 'up to date';
        if (isStale && !check) writeTogether(new Map([[resolve(target), types]]));
        const told = isStale && !check ? 'written' : state;
        context.out(fileReport(format, [{ file: target, state: told }]));
        finish(check && isStale ? exitCodes.faulty : exitCode);
      },
    );
