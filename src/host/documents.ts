/** Reads the documents of the specs directory, and decides for each what is served: at the start and at every reload. */

import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { type Diagnostic, describeDiagnostic } from '../document/diagnostics/diagnostic';
import { newErrors, withCauses } from '../document/diagnostics/new-errors';
import { isDocumentName, uriOf } from '../document/source/source-files';
import { UnreadableDocument } from '../document/source/source-text';
import { type ApiDocument, loadApiDocument } from '../engine';
import { type PlaceOptions, placeDocuments, type ReadFile } from './document-places';

/** The settings by which documents are loaded. */
export interface DocumentOptions extends PlaceOptions {
  /** Follows references to other servers. */
  readonly allowRemoteReferences?: boolean;
  /** Follows references to local files below this folder; by default the document's own. */
  readonly referencesDirectory?: string | undefined;
  /** Gives the URL for `{auth_url}` of a document by its base path. */
  readonly authUrlOf: (basePath: string) => string;
  /** Refuses documents with errors: one stops the start, and is not taken up by a reload. */
  readonly strictDocuments?: boolean;
  /** Stops the start for a document that cannot be served at all. */
  readonly production?: boolean;
}

/**
 * The state of a file: `current`: served as it says; `faulty`: served without the operations that its errors touch;
 * `kept`: its last good version, since it has broken; `unserved`: nothing.
 */
export type ServedState = 'current' | 'faulty' | 'kept' | 'unserved';

/** A file of the directory, with the document that is served of it, if any, and the problems of that. */
export interface DocumentState extends ReadFile {
  readonly state: ServedState;
  /** The reasons why the file was not taken up; empty where it was. */
  readonly refused: readonly Diagnostic[];
}

/** Problems by the file of the document that they keep from being taken up. */
export type Refusals = ReadonlyMap<string, readonly Diagnostic[]>;

const readDocument = async (
  file: string,
  options: DocumentOptions,
  basePath: string | undefined,
): Promise<ReadFile> => {
  const { authUrlOf, allowRemoteReferences: allowRemote = false } = options;
  const { referencesDirectory: referencesFolder } = options;
  const name = basename(file, extname(file));
  const variables = (path: string) => ({ auth_url: authUrlOf(path) });
  try {
    const reading = { variables, allowRemote, referencesFolder, basePath };
    const document = await loadApiDocument(file, reading);
    return { name, file, document, problems: document.diagnostics };
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    return { name, file, document: undefined, problems: [error.diagnostic] };
  }
};

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

/** Makes the function that finds the reasons why a file is not taken up; undefined where it is: then it has a document. */
const refusalFinder =
  (known: ReadonlyMap<string, DocumentState>, refusals: Refusals, refusesErrors: boolean) =>
  ({ file, document, problems }: ReadFile): readonly Diagnostic[] | undefined => {
    const refusal = refusals.get(file);
    if (refusal !== undefined) return refusal;
    if (document === undefined || (refusesErrors && problems.some(isError))) {
      return withCauses(problems, problems.filter(isError));
    }
    const previous = known.get(file);
    const added = previous === undefined ? [] : newErrors(previous.problems, problems);
    return added.length > 0 ? added : undefined;
  };

/** Decides for each file what is served: what it says, or its previous version. */
const decide = async (
  read: readonly ReadFile[],
  served: readonly DocumentState[],
  refusals: Refusals,
  options: DocumentOptions,
): Promise<readonly DocumentState[]> => {
  const known = new Map(served.filter(({ document }) => document).map((one) => [one.file, one]));
  const refusesErrors = served.length > 0 && options.strictDocuments === true;
  const refusalOf = refusalFinder(known, refusals, refusesErrors);

  /** Gives the previous version of a file that is not taken up. */
  const previousOf = (one: ReadFile): readonly DocumentState[] => {
    const previous = known.get(one.file);
    const refused = refusalOf(one);
    if (previous === undefined || refused === undefined) return [];
    return [{ ...previous, state: 'kept', refused }];
  };

  const stateOf = (one: ReadFile): DocumentState => {
    const refused = refusalOf(one);
    return refused === undefined
      ? { ...one, state: one.problems.some(isError) ? 'faulty' : 'current', refused: [] }
      : { ...one, state: 'unserved', document: undefined, problems: [], refused };
  };

  const decideBeside = async (
    kept: readonly DocumentState[],
  ): Promise<readonly DocumentState[]> => {
    const keptFiles = new Set(kept.map(({ file }) => file));
    const placed = await placeDocuments(
      read.filter(({ file }) => !keptFiles.has(file)),
      servedDocuments(kept),
      options,
      (file, basePath) => readDocument(file, options, basePath),
    );
    // One that finds no place keeps the place of its previous version, and may so take another's.
    const alsoKept = placed.flatMap(previousOf);
    if (alsoKept.length > 0) return decideBeside([...kept, ...alsoKept]);
    return [...kept, ...placed.map(stateOf)];
  };

  const states = await decideBeside(read.flatMap(previousOf));
  const order = read.map(({ file }) => file);
  return [...states].sort((one, other) => order.indexOf(one.file) - order.indexOf(other.file));
};

/** The number of problems that a reader looks at when the program starts. */
const mostProblems = 20;

const counted = (problems: readonly Diagnostic[], severity: Diagnostic['severity']): string => {
  const count = problems.filter((problem) => problem.severity === severity).length;
  return `${count} ${severity}${count === 1 ? '' : 's'}`;
};

/** Makes lines for readers of problems: one for each; of many, counts for each file and the first ones. */
export const problemLines = (problems: readonly Diagnostic[]): readonly string[] => {
  const lines = problems.slice(0, mostProblems).map(describeDiagnostic);
  if (problems.length <= mostProblems) return lines;
  const files = [...new Set(problems.map(({ file }) => file))];
  const summary = files.map((file) => {
    const own = problems.filter((problem) => problem.file === file);
    return `${file}: ${counted(own, 'error')}, ${counted(own, 'warning')}`;
  });
  const rest = `${problems.length - mostProblems} more; npm run contract -- check FILE shows all`;
  return [...summary, ...lines, rest];
};

/** An error for documents that are not served; the message has the problems, too. */
export class RefusedDocuments extends Error {
  readonly reason: string;
  readonly problems: readonly Diagnostic[];

  constructor(reason: string, problems: readonly Diagnostic[]) {
    super([...problemLines(problems), reason].join('\n'));
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

/** Tells whether other documents refer to a file: then it need not be a document itself. */
const isReferredTo = (
  { document, file }: ReadFile,
  read: readonly ReadFile[],
  served: readonly DocumentState[],
): boolean => {
  const whole = [...servedDocuments(served), ...read.flatMap((one) => one.document ?? [])];
  return document === undefined && whole.some(({ files }) => files.has(uriOf(file)));
};

/**
 * Reads the documents of a directory, and decides for each what is served of it.
 *
 * @param served - what was decided when they were read before; empty at the start
 * @param refusals - those that are not to be taken up
 * @throws RefusedDocuments where there is nothing to serve, or at the start where one that has to be served is not; Error for unknown
 *   base paths
 */
export const loadDocuments = async (
  directory: string,
  options: DocumentOptions,
  served: readonly DocumentState[] = [],
  refusals: Refusals = new Map(),
): Promise<readonly DocumentState[]> => {
  const files = (await readdir(directory)).filter(isDocumentName).sort();
  const { basePaths = new Map<string, string>(), strictDocuments, production } = options;
  const nameOf = (file: string): string => basename(file, extname(file));
  const missing = [...basePaths.keys()].find((name) => !files.map(nameOf).includes(name));
  if (missing !== undefined) {
    throw new Error(`BASE_PATHS names ${missing}, but ${directory} has no document of that name`);
  }
  const all = await Promise.all(
    files.map((file) => readDocument(join(directory, file), options, basePaths.get(nameOf(file)))),
  );
  const known = (file: string): boolean =>
    served.some((one) => one.file === file && one.document !== undefined);
  const read = all.filter((one) => known(one.file) || !isReferredTo(one, all, served));
  const states = await decide(read, served, refusals, options);
  const problems = problemsOf(states);
  if (servedDocuments(states).length === 0) {
    throw new RefusedDocuments(`${directory} has no OpenAPI document to serve`, problems);
  }
  if (served.length > 0) return states;
  if (strictDocuments && problems.some(isError)) {
    const reason = 'Nothing is served while a document has errors (--strict)';
    throw new RefusedDocuments(reason, problems);
  }
  const unserved = states.filter(({ state }) => state === 'unserved');
  if (production && unserved.length > 0) {
    const reason = `In production every document must be served, and this one cannot be: ${unserved.map(({ file }) => file).join(', ')}. Correct it, or take it out of ${directory}.`;
    throw new RefusedDocuments(reason, problemsOf(unserved));
  }
  return states;
};
