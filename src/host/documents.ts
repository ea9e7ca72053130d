/** Reads the documents of files, folders and URLs, and decides for each what is served: at the start and at every reload. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { recoverFrom } from '../base/recover';
import {
  type Diagnostic,
  describeDiagnostic,
  newErrors,
  withCauses,
} from '../document/diagnostics/diagnostic';
import { isDocumentName, isRemote, overlaysBeside, uriOf } from '../document/source/source-files';
import { UnreadableDocument } from '../document/source/source-text';
import { type ApiDocument, loadApiDocument } from '../engine';
import { type DocumentOptions, placeDocuments, type ReadFile } from './document-places';

/**
 * The state of a file: `current`: served as it says; `faulty`: served without the operations that its errors touch;
 * `kept`: its last good version, since it has broken; `unserved`: nothing.
 */
export type ServedState = 'current' | 'faulty' | 'kept' | 'unserved';

/** A file of the sources, with the document that is served of it, if any, and the problems of that. */
export interface DocumentState extends ReadFile {
  readonly state: ServedState;
  /** The reasons why the file was not taken up; empty where it was. */
  readonly refused: readonly Diagnostic[];
}

/** Problems by the file of the document that they keep from being taken up. */
export type Refusals = ReadonlyMap<string, readonly Diagnostic[]>;

/** A document with its problems, or those of a file that cannot be read. */
export type ReadDocument = Pick<ReadFile, 'document' | 'problems'>;

/** Reads a document. */
export const readDocument = (...given: Parameters<typeof loadApiDocument>): Promise<ReadDocument> =>
  loadApiDocument(...given).then(
    (document) => ({ document, problems: document.diagnostics }),
    recoverFrom(UnreadableDocument, ({ diagnostic }) => {
      return { document: undefined, problems: [diagnostic] };
    }),
  );

/** Tells whether a source is a folder. */
export const isFolder = (source: string): boolean =>
  !isRemote(source) && existsSync(source) && statSync(source).isDirectory();

/** Lists the files of sources, each once. */
export const filesIn = (sources: readonly string[]): readonly string[] => {
  const files = sources.flatMap((source) =>
    isFolder(source)
      ? readdirSync(source)
          .filter(isDocumentName)
          .sort()
          .map((name) => join(source, name))
      : [source],
  );
  return [...new Map(files.map((file) => [uriOf(file), file])).values()];
};

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

const decide = async (
  read: readonly ReadFile[],
  known: ReadonlyMap<string, DocumentState>,
  { served = [], refusals }: Reading,
  options: DocumentOptions,
  readAt: (file: string, basePath: string) => Promise<ReadFile>,
): Promise<readonly DocumentState[]> => {
  const refusesErrors = served.length > 0 && options.strictDocuments === true;
  /** Finds the reasons why a file is not taken up; undefined where it is: then it has a document. */
  const refusalOf = ({ file, document, problems }: ReadFile) => {
    const refusal = refusals?.get(file);
    if (refusal !== undefined) return refusal;
    if (document === undefined || (refusesErrors && problems.some(isError))) {
      return withCauses(problems, problems.filter(isError));
    }
    const previous = known.get(file);
    const added = previous === undefined ? [] : newErrors(previous.problems, problems);
    return added.length > 0 ? added : undefined;
  };

  const previousOf = (read: ReadFile): readonly DocumentState[] => {
    const previous = known.get(read.file);
    const refused = refusalOf(read);
    if (previous === undefined || refused === undefined) return [];
    return [{ ...previous, state: 'kept', refused }];
  };

  const stateOf = (read: ReadFile): DocumentState => {
    const refused = refusalOf(read);
    return refused === undefined
      ? { ...read, state: read.problems.some(isError) ? 'faulty' : 'current', refused: [] }
      : { ...read, state: 'unserved', document: undefined, problems: [], refused };
  };

  const decideBeside = async (
    kept: readonly DocumentState[],
  ): Promise<readonly DocumentState[]> => {
    const keptFiles = new Set(kept.map(({ file }) => file));
    const others = read.filter(({ file }) => !keptFiles.has(file));
    const placed = await placeDocuments(others, servedDocuments(kept), options, readAt);
    // One that finds no place keeps the place of its previous version, and may so take another's.
    const alsoKept = placed.flatMap(previousOf);
    if (alsoKept.length > 0) return decideBeside([...kept, ...alsoKept]);
    return [...kept, ...placed.map(stateOf)];
  };

  const states = await decideBeside(read.flatMap(previousOf));
  const order = read.map(({ file }) => file);
  return [...states].sort((one, other) => order.indexOf(one.file) - order.indexOf(other.file));
};

const mostProblems = 20;

const counted = (problems: readonly Diagnostic[], severity: Diagnostic['severity']): string => {
  const count = problems.filter((problem) => problem.severity === severity).length;
  return `${count} ${severity}${count === 1 ? '' : 's'}`;
};

/**
 * Makes lines for readers of problems: one for each; of many, counts for each file and the first ones.
 * @param check - the command that shows all
 */
export const problemLines = (
  problems: readonly Diagnostic[],
  check = 'npm run contract -- check',
): readonly string[] => {
  const lines = problems.slice(0, mostProblems).map(describeDiagnostic);
  if (problems.length <= mostProblems) return lines;
  const files = [...new Set(problems.map(({ file }) => file))];
  const summary = files.map((file) => {
    const own = problems.filter((problem) => problem.file === file);
    return `${file}: ${counted(own, 'error')}, ${counted(own, 'warning')}`;
  });
  const rest = `${problems.length - mostProblems} more; ${check} FILE shows all`;
  return [...summary, ...lines, rest];
};

/** An error for documents that are not served; the message has the problems, too. */
export class RefusedDocuments extends Error {
  readonly reason: string;
  readonly problems: readonly Diagnostic[];

  constructor(reason: string, problems: readonly Diagnostic[], check?: string) {
    super([...problemLines(problems, check), reason].join('\n'));
    this.reason = reason;
    this.problems = problems;
  }
}

/** Gives the documents that are served, in the order of their names. */
export const servedDocuments = (states: readonly DocumentState[]): readonly ApiDocument[] =>
  states.flatMap(({ document }) => document ?? []);

/** Gives the problems of the files and of the versions that are served. */
export const problemsOf = (states: readonly DocumentState[]): readonly Diagnostic[] =>
  states.flatMap(({ problems, refused }) => [...refused, ...problems]);

/** Tells whether a file need not be a document: others refer to it, or it is one of a lenient folder that says nothing of OpenAPI. */
const isNoDocument = (
  { document, file, problems }: ReadFile,
  whole: readonly ApiDocument[],
  { lenient = false }: DocumentOptions,
  sources: readonly string[],
): boolean => {
  if (document !== undefined) return false;
  const isOther = problems.some(({ rule }) => rule === 'no-openapi' || rule === 'empty-file');
  return (
    (lenient && isOther && !sources.includes(file)) ||
    whole.some(({ files }) => files.has(uriOf(file)))
  );
};

/** The decisions on documents when they were read before, and what has changed since. */
export interface Reading {
  readonly served?: readonly DocumentState[];
  readonly refusals?: Refusals;
  /** URIs of files: documents that have none of these stay as they are; all are read again where this is not given. */
  readonly changed?: readonly string[] | undefined;
}

/**
 * Reads documents, and decides for each what is served of it.
 *
 * @param sources - files, folders and URLs
 * @throws RefusedDocuments where there is nothing to serve, or at the start where one that has to be served is not; Error for unknown
 *   base paths
 */
export const loadDocuments = async (
  sources: readonly string[],
  options: DocumentOptions,
  reading: Reading = {},
): Promise<readonly DocumentState[]> => {
  const { served = [], changed } = reading;
  const files = filesIn(sources);
  const where = sources.join(', ');
  const { basePaths = new Map<string, string>(), strictDocuments, production } = options;
  const refuse = (reason: string, reasons: readonly Diagnostic[]): never => {
    throw new RefusedDocuments(reason, reasons, options.checkCommand);
  };
  const nameOf = (file: string): string => basename(file, extname(file));
  const missing = [...basePaths.keys()].find((name) => !files.map(nameOf).includes(name));
  if (missing !== undefined) {
    throw new Error(`BASE_PATHS names ${missing}, but ${where} has no document of that name`);
  }
  const known = new Map(
    served.filter(({ document }) => document).map((state) => [state.file, state]),
  );

  const read = async (file: string, basePath?: string): Promise<ReadFile> => {
    const { authUrlOf, referencesDirectory: referencesFolder } = options;
    const { allowRemoteReferences: allowRemote = false } = options;
    const variables = authUrlOf && ((path: string) => ({ auth_url: authUrlOf(path) }));
    const beside = sources.includes(file) ? [] : overlaysBeside(file);
    const overlays = [...beside, ...(options.overlays ?? [])];
    const found = await readDocument(file, {
      ...{ allowRemote, referencesFolder, basePath, overlays, together: files },
      ...(variables && { variables }),
    });
    return { name: nameOf(file), file, ...found };
  };
  const unchanged = (file: string): ReadFile | undefined => {
    const { state, document } = known.get(file) ?? {};
    if (changed === undefined || document === undefined || state === 'kept') return undefined;
    const { files: parts, diagnostics: problems } = document;
    const uris = [uriOf(file), ...overlaysBeside(file).map(uriOf), ...parts];
    // A file that was missing may be there.
    const isStale =
      uris.some((uri) => changed.includes(uri)) ||
      problems.some(({ rule }) => rule === 'reference');
    return isStale ? undefined : { name: nameOf(file), file, document, problems };
  };

  const all = await Promise.all(
    files.map((file) => unchanged(file) ?? read(file, basePaths.get(nameOf(file)))),
  );
  const whole = [...served, ...all].flatMap(({ document }) => document ?? []);
  const wanted = all.filter(
    (loaded) => known.has(loaded.file) || !isNoDocument(loaded, whole, options, sources),
  );
  const states = await decide(wanted, known, reading, options, read);
  const problems = problemsOf(states);
  if (servedDocuments(states).length === 0) {
    return refuse(`${where} has no OpenAPI document to serve`, problems);
  }
  if (served.length > 0) return states;
  if (strictDocuments && problems.some(isError)) {
    return refuse('Nothing is served while a document has errors (--strict)', problems);
  }
  const unserved = states.filter(({ state }) => state === 'unserved');
  if (production && unserved.length > 0) {
    const reason = `In production every document must be served, and this one cannot be: ${unserved.map(({ file }) => file).join(', ')}. Correct it, or take it out of ${where}.`;
    return refuse(reason, problemsOf(unserved));
  }
  return states;
};
