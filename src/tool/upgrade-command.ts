/** `upgrade FILE` writes a document, or each of its files, as one of a newer version. */

import { readFileSync, writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { withOptionalPackage } from '../base/optional-package';
import { UnreadableDocument } from '../document/source/source-text';
import {
  readSwagger,
  type SwaggerDocument,
  upgradeFiles,
  upgradeText,
  writeLike,
} from '../document/upgrade/upgrade';
import { openApi31Version, versions } from '../document/versions/versions';
import { type ApiDocument, loadApiDocument } from '../engine';
import { exitCodes, formatOption, type MakeCommand, type ToolContext } from './command/command';

/** The package that converts Swagger 2.0; it asks for Node.js 22, and runs with Node.js 20. */
const converterName = '@scalar/openapi-upgrader';

/** A document to upgrade: one text, and what is lost on the way to it; or files that are upgraded in their places. */
type GivenDocument =
  | { readonly text: string; readonly dropped: SwaggerDocument['dropped'] | undefined }
  | { readonly files: ApiDocument };

const convertSwagger = async (file: string): Promise<GivenDocument> => {
  const text = readFileSync(file, 'utf8');
  const converter = await withOptionalPackage(
    converterName,
    'a document of Swagger 2.0',
    (): Promise<{ upgradeFromTwoToThree(document: object): { readonly openapi: string } }> =>
      import(`${converterName}/2.0-to-3.0`),
  );
  const { definition, dropped, requireForms } = readSwagger(file, text);
  const { openapi, ...converted } = converter.upgradeFromTwoToThree(definition);
  requireForms(converted);
  return { text: writeLike(text, { openapi, ...converted }), dropped };
};

/**
 * Reads a document: the text of its file, that of one document of all its files, or the files.
 * @param isOne whether all files are written into one
 */
const readDocument = async (file: string, isOne: boolean): Promise<GivenDocument> => {
  try {
    const document = await loadApiDocument(file);
    const isText = document.files.size === 0 || isOne;
    return isText ? { text: document.text, dropped: undefined } : { files: document };
  } catch (error) {
    const isSwagger =
      error instanceof UnreadableDocument && error.diagnostic.pointer === '/swagger';
    if (isSwagger) return convertSwagger(file);
    throw error;
  }
};

interface Outcome {
  readonly file: string;
  readonly target: string;
  /** The members of Swagger 2.0 that were dropped; undefined of other documents. */
  readonly converted: SwaggerDocument['dropped'] | undefined;
  /** By the names of the files that were read. */
  readonly upgraded: ReturnType<typeof upgradeFiles>;
}

const jsonReport = ({ out }: ToolContext, { file, target, converted = [], upgraded }: Outcome) => {
  const dropped = [...converted, ...[...upgraded.values()].flatMap((one) => one.dropped)];
  const files = [...upgraded].map(([name, one]) => ({ file: name, dropped: one.dropped }));
  const parts = files.length > 1 ? { files } : {};
  const report = { file: target, openapi: upgraded.get(file)?.openapi, dropped, ...parts };
  out(`${JSON.stringify(report, undefined, 2)}\n`);
};

const textReport = ({ out, err }: ToolContext, { file, target, converted, upgraded }: Outcome) => {
  for (const { line, column, name } of converted ?? []) {
    err(`${file}:${line}:${column} dropped ${name}, of which OpenAPI 3 has no equal\n`);
  }
  for (const [part, { dropped, openapi }] of upgraded) {
    for (const { line, column, name } of dropped) {
      // What was converted stands at no place of the file.
      const place = converted === undefined ? `${part}:${line}:${column}` : part;
      err(`${place} dropped ${name}, which the document's version ignores\n`);
    }
    out(`${part === file ? target : part}: written as OpenAPI ${openapi}\n`);
  }
};

const newerVersions = versions.filter(({ name }) => name >= openApi31Version.name);

/** Makes the command. */
export const upgradeCommand: MakeCommand = (context, finish) =>
  new Command()
    .argument('<file>', 'the document, YAML or JSON')
    .addOption(
      new Option('--to <version>', 'the version of OpenAPI')
        .choices(newerVersions.map(({ name }) => name))
        .default(openApi31Version.name),
    )
    .option('--out <file>', 'write into this file; the document itself, where none is given')
    .addOption(formatOption(['text', 'json']))
    .action(async (file: string, options: Record<'to' | 'format', string> & { out?: string }) => {
      const { out: target = file, to, format } = options;
      const source = await readDocument(file, target !== file);
      const version = newerVersions.find(({ name }) => name === to);
      const upgraded =
        'files' in source
          ? upgradeFiles(source.files, (name) => readFileSync(name, 'utf8'), version)
          : new Map([[file, upgradeText(file, source.text, version)]]);
      for (const [name, { text }] of upgraded) writeFileSync(name === file ? target : name, text);
      const converted = 'files' in source ? undefined : source.dropped;
      const report = format === 'json' ? jsonReport : textReport;
      report(context, { file, target, converted, upgraded });
      finish(exitCodes.clean);
    });
