/** `contract upgrade FILE`. */

import { readFileSync, writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { withOptionalPackage } from '../../src/base/optional-package';
import { UnreadableDocument } from '../../src/document/source/source-text';
import { readSwagger, writeLike } from '../../src/document/upgrade/read-swagger';
import { upgradeText } from '../../src/document/upgrade/upgrade';
import { newestVersion } from '../../src/document/versions/versions';
import { loadApiDocument } from '../../src/engine';
import { type ContractOutput, exitCodes, type Finish } from './contract-command';

/** The package that converts Swagger 2.0; its newest version needs Node.js 22, and older ones lose what documents say. */
const converterName = '@scalar/openapi-upgrader';

interface Converter {
  upgradeFromTwoToThree(document: object): { readonly openapi: string };
}

/** Converts a document of Swagger 2.0. */
const convertSwagger = async (file: string): Promise<string> => {
  const text = readFileSync(file, 'utf8');
  const converter = await withOptionalPackage(
    converterName,
    'a document of Swagger 2.0 (with Node.js 22 or newer)',
    (): Promise<Converter> => import(`${converterName}/2.0-to-3.0`),
  );
  const { openapi, ...converted } = converter.upgradeFromTwoToThree(readSwagger(file, text));
  return writeLike(text, { openapi, ...converted });
};

/**
 * Reads a document: the text of its file, or of one document of all its files.
 * @param isOne whether all files must be written into one
 * @throws Error in one sentence where it has several files
 */
const readDocument = async (file: string, isOne: boolean): Promise<string> => {
  try {
    const { text, files } = await loadApiDocument(file);
    if (files.size === 0 || isOne) return text;
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

interface UpgradeOptions {
  readonly out?: string;
}

/** Makes the command. */
export const upgradeCommand = ({ out, err }: ContractOutput, finish: Finish): Command =>
  new Command('upgrade')
    .description(
      'Write a document of an older version, or of Swagger 2.0, as one of a newer version',
    )
    .argument('<file>', 'the document, YAML or JSON')
    .addOption(
      new Option('--to <version>', 'the version of OpenAPI')
        .choices([newestVersion.name])
        .default(newestVersion.name),
    )
    .option('--out <file>', 'write into this file; the document itself, where none is given')
    .action(async (file: string, { out: target = file }: UpgradeOptions) => {
      const given = await readDocument(file, target !== file);
      const { text, dropped } = upgradeText(file, given);
      for (const { line, column, name } of dropped) {
        err(`${file}:${line}:${column} dropped ${name}, which the document's version ignores\n`);
      }
      writeFileSync(target, text);
      out(`${target}: written as OpenAPI ${newestVersion.newest}\n`);
      finish(exitCodes.clean);
    });
