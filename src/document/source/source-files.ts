/** Opens the files that a document consists of: local ones, and remote ones where that is allowed; each once. */

import { existsSync } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { FetchFailure, fetchBounded } from '../../base/fetch-bounded';
import { lazy } from '../../base/memoize';
import { ownText } from '../../base/plain-object';
import { attempt, recoverFrom } from '../../base/recover';
import { resultInSteps } from '../../base/run-in-steps';
import { sourceSteps } from './read-source';
import {
  decodeText,
  type LoadLimits,
  MissingFile,
  type SourceText,
  UnreadableDocument,
  unreadable,
} from './source-text';

/** A file of a document. */
export interface SourceFile extends SourceText {
  /** Absolute, without a fragment. */
  readonly uri: string;
  /** The name of the file in reports. */
  readonly name: string;
  /** The places in overlays that values of it come from, by their pointers. */
  readonly origins?: ReadonlyMap<string, SourceLocation>;
}

/** A part of a file. */
export interface SourceLocation {
  readonly file: SourceFile;
  readonly pointer: string;
}

/** A file that is needed: answered by the file, or by throwing MissingFile or UnreadableDocument. Where none is, work may pause. */
export interface FileRequest {
  /** Absolute. */
  readonly uri: string;
  readonly from: SourceFile;
  /** True where only a document is wanted whose `$self` is the URI, wherever it lies. */
  readonly isSelf?: boolean;
  /** True where the value of the file is its text. */
  readonly isText?: boolean;
}

/** Opens a file; rejects with a clause that says why it cannot. */
export type OpenFile = (request: FileRequest) => Promise<SourceFile>;

/** Tells whether a file may be a document, by its name: an overlay is none. */
export const isDocumentName = (name: string): boolean =>
  /(?<!\.overlay)\.(?:ya?ml|json)$/.test(name);

/** Lists the overlays of a document that lie beside it: `NAME.overlay.yaml` for `NAME.yaml`. */
export const overlaysBeside = (file: string): readonly string[] =>
  isRemote(file)
    ? []
    : ['yaml', 'yml', 'json']
        .map((ending) => join(dirname(file), `${basename(file, extname(file))}.overlay.${ending}`))
        .filter((path) => existsSync(path));

/** Tells whether a file is named by its address on another server. */
export const isRemote = (file: string): boolean => /^https?:\/\//i.test(file);

/** Returns the URI of a file: of a local one by its path. */
export const uriOf = (file: string): string =>
  isRemote(file) ? new URL(file).href : pathToFileURL(resolve(file)).href;

const pathOf = (uri: string): string => {
  const path = attempt(() => fileURLToPath(uri));
  if (path !== undefined) return path;
  throw new MissingFile('it is not a path on this machine');
};

/** Runs work on a file; an error of the system becomes a clause about the file. */
const onFile = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    const { syscall, code }: NodeJS.ErrnoException = Object(error);
    if (syscall === undefined) throw error;
    if (code === 'ENOENT') throw new MissingFile(`there is no file ${name}`);
    throw new MissingFile(`the file ${name} cannot be opened`);
  }
};

/**
 * Reads at most `bytes` bytes.
 * @throws MissingFile, UnreadableDocument
 */
export const readLocalFile = async (
  path: string,
  name: string,
  bytes: number,
): Promise<Uint8Array> =>
  onFile(name, async () => {
    const status = await stat(path);
    // Other files than regular ones might never end.
    if (!status.isFile()) {
      throw new MissingFile(`${name} is ${status.isDirectory() ? 'a folder' : 'no file'}`);
    }
    if (status.size > bytes) {
      const message = `The file is larger than ${bytes} bytes. Split it into several files.`;
      throw unreadable(name, 'too-large', message);
    }
    return readFile(path);
  });

/**
 * Reads a file on another server.
 * @throws MissingFile
 */
export const readRemoteFile = async (
  url: string,
  { remoteMilliseconds, fileBytes }: LoadLimits,
): Promise<Uint8Array> => {
  const accept = 'application/yaml, application/json, */*;q=0.5';
  const bounds = { milliseconds: remoteMilliseconds, bytes: fileBytes };
  return fetchBounded(url, { accept, ...bounds, redirects: true }).catch(
    recoverFrom(FetchFailure, ({ message }) => {
      throw new MissingFile(message);
    }),
  );
};

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(resolve(folder), path);
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
};

/** Makes the opener of the files that a root file leads to. */
export const fileOpener = (
  root: SourceFile,
  options: {
    readonly limits: LoadLimits;
    /** Allows files on other servers. */
    readonly allowRemote: boolean;
    /** Local files are read below this folder alone. */
    readonly folder: string;
    /** Paths of documents that are given with this one; with those of its folder they are known by their `$self`. */
    readonly together: readonly string[];
  },
): OpenFile => {
  const { limits, allowRemote, folder, together } = options;
  // The schema of schemas, which Ajv brings along.
  const metaSchema = /^https:\/\/json-schema\.org\/draft\/2020-12\/(schema|meta\/[a-z-]+)$/;
  const files = new Map<string, Promise<SourceFile>>([[root.uri, Promise.resolve(root)]]);
  let total = 0;

  const parse = async (
    { uri, isText }: Pick<FileRequest, 'uri' | 'isText'>,
    name: string,
    bytes: Uint8Array,
  ): Promise<SourceFile> => {
    total += bytes.length;
    if (total > limits.totalBytes) {
      const clause = `the files of the document have more than ${limits.totalBytes} bytes together`;
      throw new MissingFile(clause);
    }
    const text = decodeText(name, bytes);
    if (isText) return { uri, name, value: text, locate: () => ({ line: 1, column: 1 }) };
    return { uri, name, ...(await resultInSteps(sourceSteps(name, text, limits))) };
  };

  const requireBelow = (within: string, path: string): void => {
    if (isBelow(within, path)) return;
    const clause = `it leads out of the folder ${folder}, which --references or REFERENCES_DIRECTORY must allow`;
    throw new MissingFile(clause);
  };

  const togetherPaths = new Set(together.map((path) => resolve(path)));

  const openLocal = async (request: FileRequest): Promise<SourceFile> => {
    const path = pathOf(request.uri);
    const isGiven = togetherPaths.has(path) && !isBelow(folder, path);
    const within = isGiven ? dirname(path) : folder;
    // All parts of a document are public, and its author may not be the owner of the other files.
    requireBelow(within, path);
    const name = join(dirname(root.name), relative(dirname(fileURLToPath(root.uri)), path));
    const real = await onFile(name, () => realpath(path));
    requireBelow(await realpath(within), real);
    return parse(request, name, await readLocalFile(real, name, limits.fileBytes));
  };

  const openNew = async (request: FileRequest): Promise<SourceFile> => {
    const { uri, from } = request;
    if (files.size >= limits.files) {
      throw new MissingFile(`the document has more than ${limits.files} files`);
    }
    const kept = metaSchema.exec(uri)?.[1];
    if (kept !== undefined) {
      const file = require.resolve(`ajv/dist/refs/json-schema-2020-12/${kept}.json`);
      return parse(request, uri, await readFile(file));
    }
    if (isRemote(uri)) {
      if (allowRemote) return parse(request, uri, await readRemoteFile(uri, limits));
      const clause =
        'it leads to another server, which --allow-remote or ALLOW_REMOTE_REFERENCES must allow';
      throw new MissingFile(clause);
    }
    if (!uri.startsWith('file:'))
      throw new MissingFile('only files and http addresses can be read');
    // Remote documents must not reach into this machine.
    if (from.uri.startsWith('file:')) return openLocal(request);
    throw new MissingFile('a remote document may not name local files');
  };

  const open = (request: FileRequest): Promise<SourceFile> => {
    const key = request.isText ? `text of ${request.uri}` : request.uri;
    const file = files.get(key) ?? openNew(request);
    files.set(key, file);
    return file;
  };

  /** Opens a document by its `$self`, if it has one. */
  const bySelf = async (path: string): Promise<readonly (readonly [string, SourceFile])[]> => {
    const bytes = await readLocalFile(path, path, limits.fileBytes);
    if (!decodeText(path, bytes).includes('$self')) return [];
    const file = await open({ uri: uriOf(path), from: root });
    const self = ownText(Object(file.value), '$self');
    const uri = self && attempt(() => new URL(self, file.uri).href);
    return uri ? [[uri, file]] : [];
  };

  /** Reads the documents that are known by their `$self`; files that cannot be read have none. */
  const readIdentified = lazy(async (): Promise<ReadonlyMap<string, SourceFile>> => {
    const home = isRemote(root.uri) ? undefined : dirname(pathOf(root.uri));
    const names = home === undefined ? [] : (await readdir(home)).filter(isDocumentName);
    const paths = new Set([...names.map((name) => join(home ?? '', name)), ...togetherPaths]);
    const found = [...paths].map((path) =>
      bySelf(path)
        .catch(recoverFrom(MissingFile, () => []))
        .catch(recoverFrom(UnreadableDocument, () => [])),
    );
    // Of two with one `$self` that which was given counts.
    return new Map((await Promise.all(found)).flat());
  });

  return async (request) => {
    if (!request.isSelf) return open(request);
    const found = (await readIdentified()).get(request.uri);
    if (found === undefined) throw new MissingFile('no document that is read has that `$self`');
    return found;
  };
};
