/** Which generated files a checkout should have, and which of those it has are stale. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ApiDocument, loadApiDocument, UnreadableDocument } from '../../src/engine';
import { GENERATED_MARK, printTypes } from './print-types';

/** The generated file of a document. */
const typesFile = (name: string): string => `handlers/${name}/types.ts`;

/** A document; undefined where the file is no document of its own. */
const loadSpec = async (root: string, file: string): Promise<ApiDocument | undefined> => {
  try {
    return await loadApiDocument(join(root, 'specs', file), { calledAs: `specs/${file}` });
  } catch (error) {
    if (error instanceof UnreadableDocument && error.diagnostic.rule === 'no-openapi')
      return undefined;
    throw error;
  }
};

/** What specs/*.yaml give now: file to text, in alphabetical order. */
export const generatedFiles = async (root: string): Promise<ReadonlyMap<string, string>> => {
  const names = readdirSync(join(root, 'specs'))
    .filter((file) => file.endsWith('.yaml'))
    .sort();
  const documents = await Promise.all(names.map((file) => loadSpec(root, file)));
  return new Map(
    documents
      .filter((document) => document !== undefined)
      .map((document) => [typesFile(document.name), printTypes(document)]),
  );
};

const staleOf = (root: string, wanted: ReadonlyMap<string, string>): readonly string[] => {
  const present = presentFiles(root);
  return [...new Set([...wanted.keys(), ...present.keys()])]
    .filter((file) => wanted.get(file) !== present.get(file))
    .sort();
};

/** The generated files that are missing, differ, or have lost their document. */
export const staleFiles = async (root: string): Promise<readonly string[]> =>
  staleOf(root, await generatedFiles(root));

/** Writes what is stale and removes what has lost its document; answers the names of the files it touched. */
export const writeGenerated = async (root: string): Promise<readonly string[]> => {
  const wanted = await generatedFiles(root);
  const stale = staleOf(root, wanted);
  for (const file of stale) {
    const text = wanted.get(file);
    if (text === undefined) {
      rmSync(join(root, file));
      continue;
    }
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return stale;
};

/** Files that this generator once wrote; others are none of its business. */
const presentFiles = (root: string): ReadonlyMap<string, string> => {
  const folder = join(root, 'handlers');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(
    names
      .map(typesFile)
      .filter((file) => existsSync(join(root, file)))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)
      .filter(([, text]) => text.startsWith(GENERATED_MARK)),
  );
};
