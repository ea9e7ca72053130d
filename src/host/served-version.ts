/** Versions of documents and handlers, by which processes tell whether they serve the same. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { memoize } from '../base/memoize';
import type { ApiDocument } from '../engine';
import { readFolder } from './handler-modules';

const hashOf = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

/** Makes a version: the beginning of a SHA-256, in hexadecimal digits. */
const versionOf = (value: unknown): string => hashOf(JSON.stringify(value)).slice(0, 12);

/** Gives the version of one document: the same for the same text at the same address. */
export const documentVersion = memoize(({ name, basePath, text }: ApiDocument): string =>
  versionOf([name, basePath, hashOf(text)]),
);

/** Lists the files below a folder of handlers that Node.js may load, each with its hash; none where the folder is missing. */
const handlerFiles = async (folder: string): Promise<readonly string[]> => {
  const paths = (await readFolder(folder, true))
    .filter((entry) => entry.isFile() && /(?<!\.d)\.(ts|[cm]?js|json)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  return Promise.all(
    paths.map(async (path) => `${relative(folder, path)} ${hashOf(await readFile(path))}`),
  );
};

/** The versions of handlers by their documents' names, as they were when they were first asked for. */
export type HandlerVersions = Map<string, string>;

/**
 * Gives the version of documents and handlers: the same for the same documents at the same address, with the same handlers.
 *
 * @param loaded - versions of handlers that are loaded already, whatever their files are now; further ones are added
 */
export const servedVersion = async (
  documents: readonly ApiDocument[],
  handlersDirectory: string | undefined,
  loaded: HandlerVersions = new Map(),
): Promise<string> => {
  const handlersVersion = async (name: string): Promise<string> => {
    const files = handlersDirectory && handlerFiles(join(handlersDirectory, name));
    const version = loaded.get(name) ?? versionOf(files ? await files : []);
    loaded.set(name, version);
    return version;
  };
  const versions = documents.map(async (document) => [
    documentVersion(document),
    await handlersVersion(document.name),
  ]);
  return versionOf(await Promise.all(versions));
};
