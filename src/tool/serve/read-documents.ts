/** Finds the documents that are to be served, reads them, and finds a path for each. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Diagnostic, describeDiagnostic } from '../../document/diagnostics/diagnostic';
import { newErrors } from '../../document/diagnostics/new-errors';
import { hiddenOperations } from '../../document/hidden-operations';
import { isDocumentName, isRemote, uriOf } from '../../document/source/source-files';
import type { ApiDocument } from '../../engine';
import { loadReadable, type ReadDocument } from '../command/load-readable';

/** The files that are meant, and the way to read them. */
export interface DocumentSettings {
  /** Files, folders and URLs. */
  readonly sources: readonly string[];
  readonly allowRemote?: boolean;
}

/** The documents as they were read. */
export interface ReadDocuments {
  readonly documents: readonly ApiDocument[];
  /** Lines about the documents that are new. */
  readonly lines: readonly string[];
}

/** Tells whether a source is a folder. */
export const isFolder = (source: string): boolean =>
  !isRemote(source) && existsSync(source) && statSync(source).isDirectory();

/** Tells that a file of a folder is something other than a document. */
const isOther = (problems: readonly Diagnostic[]): boolean =>
  problems.some(({ rule }) => rule === 'no-openapi' || rule === 'empty-file');

/** Lists the files of a source, each with whether it has to be a document. */
const filesOf = (source: string): readonly (readonly [file: string, isNamed: boolean])[] => {
  if (!isFolder(source)) return [[source, true]];
  const names = readdirSync(source).filter(isDocumentName).sort();
  return names.map((name) => [join(source, name), false]);
};

/** Problems beyond these are counted. */
const most = 20;

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

/** Writes the problems of a file, errors first. */
export const problemLines = (file: string, problems: readonly Diagnostic[]): readonly string[] => {
  const ordered = [...problems.filter(isError), ...problems.filter((one) => !isError(one))];
  const lines = ordered.slice(0, most).map(describeDiagnostic);
  const more = problems.length - most;
  return more > 0 ? [...lines, `${file}: ${more} more; spec-first check ${file} shows all`] : lines;
};

const read = (
  file: string,
  { sources, allowRemote = false }: DocumentSettings,
  basePath?: string,
): Promise<ReadDocument> => {
  const together = sources.flatMap(filesOf).map(([path]) => path);
  return loadReadable(file, { allowRemote, basePath, together });
};

/** Returns the first free path for a document of that name. */
const freePath = (name: string, isTaken: (path: string) => boolean): string => {
  const path = `/${encodeURIComponent(name)}`;
  let count = 1;
  const numbered = () => (count === 1 ? path : `${path}-${count}`);
  while (isTaken(numbered())) count += 1;
  return numbered();
};

/** Tells whether a document is other than it was: a file of it has changed, or one that was missing may be there. */
const isStale = ({ file, files, diagnostics }: ApiDocument, changed: readonly string[]): boolean =>
  [uriOf(file), ...files].some((uri) => changed.includes(uri)) ||
  diagnostics.some(({ rule }) => rule === 'reference');

/**
 * Reads the documents. Those that were read before are read again if a file of theirs has changed; one that then has new errors, or
 * cannot be read, stays as it was.
 *
 * @param before the documents that are served
 * @param changed URIs of files
 */
export const readDocuments = async (
  settings: DocumentSettings,
  before: readonly ApiDocument[],
  changed: readonly string[],
): Promise<ReadDocuments> => {
  const documents: ApiDocument[] = [];
  const lines: string[] = [];
  const at = (path: string) => documents.find(({ basePath }) => basePath === path);

  /** Adds a document; one whose path is taken is read again at another path. */
  const add = async (document: ApiDocument): Promise<void> => {
    const { name, file, basePath } = document;
    const other = at(basePath);
    if (other === undefined) {
      documents.push(document);
      return;
    }
    const path = freePath(name, (one) => at(one) !== undefined);
    const moved = await read(file, settings, path);
    if (moved.document === undefined) return;
    documents.push(moved.document);
    lines.push(
      `${file}: ${other.file} is served at ${basePath || '/'}, and this document at ${path}`,
    );
  };

  const readAgain = async (known: ApiDocument): Promise<void> => {
    const { document, problems } = await read(known.file, settings);
    const errors = newErrors(known.diagnostics, problems);
    if (document === undefined || errors.length > 0) {
      const stays = `${known.file}: its last good version is served`;
      lines.push(...problemLines(known.file, errors), stays);
      return add(known);
    }
    const said = new Set(known.diagnostics.map(({ message }) => message));
    const others = problems.filter(({ message }) => !said.has(message));
    lines.push(...problemLines(known.file, others));
    return add(document);
  };

  const take = async (file: string, isNamed: boolean): Promise<void> => {
    const known = before.find((document) => document.file === file);
    if (known !== undefined) return isStale(known, changed) ? readAgain(known) : add(known);
    const { document, problems } = await read(file, settings);
    if (isNamed || !isOther(problems)) lines.push(...problemLines(file, problems));
    if (document !== undefined) await add(document);
  };

  const files = new Map(
    settings.sources
      .flatMap(filesOf)
      .map((one) => [isRemote(one[0]) ? one[0] : resolve(one[0]), one]),
  );
  for (const [file, isNamed] of files.values()) await take(file, isNamed);
  const hiding = documents.filter((one) => !before.includes(one));
  lines.push(...hiding.flatMap((one) => hiddenOperations(one, documents)).map(describeDiagnostic));
  return { documents, lines };
};
