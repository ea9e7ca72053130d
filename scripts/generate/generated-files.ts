/** The generated files that a checkout should have, and the stale ones among those that it has. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { Diagnostic } from '../../src/document/diagnostics/diagnostic';
import { isDocumentName, overlaysBeside } from '../../src/document/source/source-files';
import { UnreadableDocument } from '../../src/document/source/source-text';
import { type ApiDocument, loadApiDocument } from '../../src/engine';
import { GENERATED_MARK, printTypes } from '../../src/tool/types/print-types';

/** The folders of documents and handlers; relative folders are the project's. */
export interface Folders {
  readonly root: string;
  /** `specs` */
  readonly specs: string;
  /** `handlers` */
  readonly handlers: string;
  /** See LoadOptions; the folder of the documents where this is not given. */
  readonly references?: string | undefined;
  readonly allowRemote?: boolean;
}

/** The folders of the project in `root`, or those that the environment names, as the server has them. */
export const foldersOf = (
  root: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): Folders => ({
  root,
  specs: environment['SPECS_DIRECTORY'] ?? 'specs',
  handlers: environment['HANDLERS_DIRECTORY'] ?? 'handlers',
  references: environment['REFERENCES_DIRECTORY'],
  allowRemote: environment['ALLOW_REMOTE_REFERENCES'] === 'true',
});

/** The generated file of a document. */
export const typesFile = ({ handlers }: Folders, name: string): string =>
  join(handlers, name, 'types.ts');

/** Prints the types of a document of the project. */
export const typesOf = (document: ApiDocument): string =>
  printTypes(document, `specs/${document.name}.yaml by npm run generate`);

/** The files generated from a folder of documents. */
interface Generated {
  readonly documents: readonly ApiDocument[];
  /** File to text, in alphabetical order. */
  readonly files: ReadonlyMap<string, string>;
  /** The errors of documents, by their names: one that cannot be read, or has errors, keeps the types that it has. */
  readonly errors: ReadonlyMap<string, readonly Diagnostic[]>;
}

type Loaded =
  | { readonly document: ApiDocument }
  | { readonly name: string; readonly problem: Diagnostic };

const loadSpec = async (
  { root, specs, allowRemote = false, references }: Folders,
  file: string,
): Promise<Loaded> => {
  const calledAs = join(specs, file);
  const referencesFolder = references && resolve(root, references);
  try {
    const path = resolve(root, calledAs);
    const overlays = overlaysBeside(path);
    const options = { calledAs, allowRemote, referencesFolder, overlays };
    return { document: await loadApiDocument(path, options) };
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    return { name: basename(file, extname(file)), problem: error.diagnostic };
  }
};

/** A file without `openapi` is a part of others. */
const errorsOf = (loaded: Loaded): readonly Diagnostic[] => {
  if ('problem' in loaded) return loaded.problem.rule === 'no-openapi' ? [] : [loaded.problem];
  return loaded.document.diagnostics.filter(({ severity }) => severity === 'error');
};

/** Generates the files of the documents. A document with errors gives no types, and does not affect the others. */
export const generatedFiles = async (folders: Folders): Promise<Generated> => {
  const names = readdirSync(resolve(folders.root, folders.specs)).filter(isDocumentName).sort();
  const loaded = await Promise.all(names.map((file) => loadSpec(folders, file)));
  const documents = loaded.flatMap((one) => ('document' in one ? [one.document] : []));
  const errors = new Map(
    loaded
      .map((one) => ['document' in one ? one.document.name : one.name, errorsOf(one)] as const)
      .filter(([, found]) => found.length > 0),
  );
  return {
    documents,
    files: new Map(
      documents
        .filter(({ name }) => !errors.has(name))
        .map((document) => [typesFile(folders, document.name), typesOf(document)]),
    ),
    errors,
  };
};

/** The generated files that are missing, differ, or have lost their document. One whose document has errors stays. */
export const staleFiles = async (
  folders: Folders,
  generated?: Generated,
): Promise<readonly string[]> => {
  const { files, errors } = generated ?? (await generatedFiles(folders));
  const present = presentFiles(folders);
  const kept = [...errors.keys()].map((name) => typesFile(folders, name));
  return [...new Set([...files.keys(), ...present.keys()])]
    .filter((file) => files.get(file) !== present.get(file) && !kept.includes(file))
    .sort();
};

/**
 * Writes what is stale and removes what has lost its document; answers the names of the files it touched.
 *
 * @param isUpdate whether only files that are there are written
 */
export const writeGenerated = async (
  folders: Folders,
  generated?: Generated,
  isUpdate = false,
): Promise<readonly string[]> => {
  const { root } = folders;
  const given = generated ?? (await generatedFiles(folders));
  const { files: wanted } = given;
  const stale = (await staleFiles(folders, given)).filter(
    (file) => !isUpdate || (wanted.has(file) && existsSync(resolve(root, file))),
  );
  for (const file of stale) {
    const text = wanted.get(file);
    if (text === undefined) {
      rmSync(resolve(root, file));
      continue;
    }
    mkdirSync(dirname(resolve(root, file)), { recursive: true });
    writeFileSync(resolve(root, file), text);
  }
  return stale;
};

/** Files that this generator once wrote; others are none of its business. */
const presentFiles = (folders: Folders): ReadonlyMap<string, string> => {
  const { root, handlers } = folders;
  const folder = resolve(root, handlers);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(
    names
      .map((name) => typesFile(folders, name))
      .filter((file) => existsSync(resolve(root, file)))
      .map((file) => [file, readFileSync(resolve(root, file), 'utf8')] as const)
      .filter(([, text]) => text.startsWith(GENERATED_MARK)),
  );
};
