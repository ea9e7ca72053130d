/** `upgrade FILE` writes a document as one of a newer version. */

import { readFileSync, writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { withOptionalPackage } from '../base/optional-package';
import { UnreadableDocument } from '../document/source/source-text';
import {
  readSwagger,
  type SwaggerDocument,
  upgradeText,
  writeLike,
} from '../document/upgrade/upgrade';
import { openApi31Version, versions } from '../document/versions/versions';
import { loadApiDocument } from '../engine';
import { exitCodes, formatOption, type MakeCommand } from './command/command';

/** The package that converts Swagger 2.0; it asks for Node.js 22, and runs with Node.js 20. */
const converterName = '@scalar/openapi-upgrader';

interface Converter {
  upgradeFromTwoToThree(document: object): { readonly openapi: string };
}

/** A text to upgrade, and what is lost on the way to it. */
type GivenDocument = Pick<SwaggerDocument, 'dropped'> & { readonly text: string };

/** Converts a document of Swagger 2.0. */
const convertSwagger = async (file: string): Promise<GivenDocument> => {
  const text = readFileSync(file, 'utf8');
  const converter = await withOptionalPackage(
    converterName,
    'a document of Swagger 2.0',
    (): Promise<Converter> => import(`${converterName}/2.0-to-3.0`),
  );
  const { definition, dropped } = readSwagger(file, text);
  const { openapi, ...converted } = converter.upgradeFromTwoToThree(definition);
  return { text: writeLike(text, { openapi, ...converted }), dropped };
};

/**
 * Reads a document: the text of its file, or of one document of all its files.
 * @param isOne whether all files must be written into one
 * @throws Error in one sentence where it has several files
 */
const readDocument = async (file: string, isOne: boolean): Promise<GivenDocument> => {
  try {
    const { text, files } = await loadApiDocument(file);
    if (files.size === 0 || isOne) return { text, dropped: [] };
  } catch (error) {
    const isSwagger =
      error instanceof UnreadableDocument && error.diagnostic.pointer === '/swagger';
    if (isSwagger) return convertSwagger(file);
    throw error;
  }
  throw new Error(
    `${file} refers to other files, which would be read as ones of the new version, too. Give --out FILE for one document of all of them.`,
  );
};

const newerVersions = versions.filter(({ name }) => name >= openApi31Version.name);

/** Makes the command. */
export const upgradeCommand: MakeCommand = ({ out, err }, finish) =>
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
      const { text, openapi, dropped } = upgradeText(file, source.text, version);
      writeFileSync(target, text);
      if (format === 'json') {
        const all = [...source.dropped, ...dropped];
        out(`${JSON.stringify({ file: target, openapi, dropped: all }, undefined, 2)}\n`);
      } else {
        for (const { line, column, name } of source.dropped) {
          err(`${file}:${line}:${column} dropped ${name}, of which OpenAPI 3 has no equal\n`);
        }
        for (const { line, column, name } of dropped) {
          err(`${file}:${line}:${column} dropped ${name}, which the document's version ignores\n`);
        }
        out(`${target}: written as OpenAPI ${openapi}\n`);
      }
      finish(exitCodes.clean);
    });
