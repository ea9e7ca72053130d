/** Reads the documents of the specs directory, and decides for each what is served: at the start and at every reload. */

import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import {
  type ApiDocument,
  type Diagnostic,
  describeDiagnostic,
  loadApiDocument,
  routeTable,
  UnreadableDocument,
  uriOf,
} from '../../engine';
import { csvCodec } from '../formats/csv';
import { newErrors, withCauses } from './new-errors';

/** How documents are loaded. */
export interface DocumentOptions {
  /** Where `{auth_url}` leads, given a document's base path. */
  readonly authUrlOf: (basePath: string) => string;
  /** Whether references to other servers are followed. */
  readonly allowRemote?: boolean;
  /** The folder below which documents may refer to local files; their own where this is not given. */
  readonly referencesFolder?: string | undefined;
  /** Where documents are served instead of at the path of their server URL, by their names. */
  readonly basePaths?: ReadonlyMap<string, string>;
  /** The paths of the server's own pages. */
  readonly operatorPages?: readonly string[];
  /** Whether a document with errors is refused: it stops the start, and is not taken up by a reload. */
  readonly strict?: boolean;
  /** Whether a document that cannot be served at all stops the start. */
  readonly requireAll?: boolean;
}

/**
 * The state of a file: `current`: served as it says; `faulty`: served without the operations that its errors touch;
 * `kept`: its last good version, since it has broken; `unserved`: nothing.
 */
export type ServedState = 'current' | 'faulty' | 'kept' | 'unserved';

/** A file of the directory, and what is served of it. */
export interface DocumentState {
  readonly name: string;
  readonly file: string;
  readonly state: ServedState;
  /** The version that is served; undefined where none is. */
  readonly document: ApiDocument | undefined;
  /** What is wrong with the version that is served. */
  readonly problems: readonly Diagnostic[];
  /** Why the file was not taken up; empty where it was. */
  readonly refused: readonly Diagnostic[];
}

/** Problems by the file of the document that they keep from being taken up. */
export type Refusals = ReadonlyMap<string, readonly Diagnostic[]>;

/** A file as it was read: a document, or why there is none. */
interface ReadFile {
  readonly name: string;
  readonly file: string;
  readonly document: ApiDocument | undefined;
  readonly problems: readonly Diagnostic[];
}

const readDocument = async (
  file: string,
  { authUrlOf, allowRemote = false, referencesFolder }: DocumentOptions,
  basePath: string | undefined,
): Promise<ReadFile> => {
  const name = basename(file, extname(file));
  const variables = (path: string) => ({ auth_url: authUrlOf(path) });
  try {
    const codecs = [csvCodec];
    const options = { variables, allowRemote, referencesFolder, basePath, codecs };
    const document = await loadApiDocument(file, options);
    return { name, file, document, problems: document.diagnostics };
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    return { name, file, document: undefined, problems: [error.diagnostic] };
  }
};

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

const placeProblem = (
  document: ApiDocument,
  severity: Diagnostic['severity'],
  message: string,
): Diagnostic =>
  document.locate({ severity, rule: 'server-path', pointer: '/servers/0/url', message });

/** What a service serves beside its operations, below its base path. */
const ownPaths = ['/docs', '/files', '/oauth', '/openapi.json', '/openapi.yaml'];

/** Tells whether a path is the other one or lies below it. */
const isBelow = (path: string, other: string): boolean =>
  path === other || path.startsWith(`${other}/`);

/** The route of another service in whose place a document would be served; undefined: none. */
const hiddenRoute = (
  { name, basePath }: ApiDocument,
  others: readonly ApiDocument[],
): string | undefined => {
  for (const other of others) {
    const hidden = ownPaths.find((path) => isBelow(basePath, other.basePath + path));
    if (other.name !== name && hidden !== undefined) {
      return `${other.basePath}${hidden} of ${other.name}`;
    }
  }
  return undefined;
};

/** The page of the server in whose place a document would be served; of one at the root, operations alone go before pages. */
const hiddenPage = ({ basePath }: ApiDocument, pages: readonly string[]): string | undefined => {
  const isHidden = (page: string) =>
    page !== '/' && (isBelow(basePath, page) || isBelow(page, basePath));
  const page = basePath === '' ? undefined : ['/.well-known', ...pages].find(isHidden);
  return page && `${page} of the server itself`;
};

/** The operator's pages in whose place a document at the root has operations. */
const hiddenPages = (
  { basePath, operations }: ApiDocument,
  pages: readonly string[],
): readonly string[] => {
  if (basePath !== '') return [];
  const find = routeTable(operations);
  return pages.filter((page) => find(page) !== undefined);
};

/** Of documents that clash the first is served where it wants to be, the others at their names. */
const placed = async (
  read: ReadFile,
  served: readonly ApiDocument[],
  options: DocumentOptions,
): Promise<ReadFile> => {
  const { name, file, document } = read;
  if (document === undefined) return read;
  const refused = (message: string): ReadFile => ({
    ...{ name, file, document: undefined },
    problems: [...read.problems, placeProblem(document, 'error', message)],
  });
  const ofPath = (basePath: string) => served.find((other) => other.basePath === basePath);
  const namesake = served.find((other) => other.name === name);
  if (namesake !== undefined) {
    return refused(`The document is not served: ${namesake.file} has the same name. Rename one.`);
  }
  const other = ofPath(document.basePath);
  if (other === undefined) return read;
  const clash = `${other.file} has the same server path ${document.basePath || '/'}`;
  const own = `/${name}`;
  if (ofPath(own) !== undefined || options.basePaths?.has(name)) {
    return refused(
      `The document is not served: ${clash}. Change one of them by BASE_PATHS=${name}=/PATH.`,
    );
  }
  const message = `${clash}, so that this document is served at ${own}. BASE_PATHS=${name}=/PATH chooses another.`;
  const moved = await readDocument(file, options, own);
  return { ...moved, problems: [...read.problems, placeProblem(document, 'warning', message)] };
};

/** The version of a file that was served before, at the place where it was. */
const keptVersion = (
  { name, file, document, problems }: DocumentState,
  refused: readonly Diagnostic[],
): DocumentState => ({ name, file, state: 'kept', document, problems, refused });

/** What is served of files that were read, each with what is wrong with it, given those that keep their versions of before. */
const settle = async (
  read: readonly ReadFile[],
  kept: readonly DocumentState[],
  options: DocumentOptions,
): Promise<readonly ReadFile[]> => {
  // What is kept stays where it is: others make room.
  const served = kept.flatMap(({ document }) => document ?? []);
  const settled: ReadFile[] = [];
  for (const one of read) {
    const settledOne = await placed(one, served, options);
    settled.push(settledOne);
    if (settledOne.document !== undefined) served.push(settledOne.document);
  }
  const { operatorPages = [] } = options;
  return settled.map((one) => {
    const { name, file, document, problems } = one;
    if (document === undefined) return one;
    const pages = hiddenPages(document, operatorPages);
    if (pages.length > 0) {
      const message = `Operations of this document hide the server's own ${pages.join(', ')}. OPERATOR_PATH=/PATH serves those elsewhere.`;
      return { ...one, problems: [...problems, placeProblem(document, 'warning', message)] };
    }
    const hidden = hiddenRoute(document, served) ?? hiddenPage(document, operatorPages);
    const hider = kept.find((other) => other.document && hiddenRoute(other.document, [document]));
    const reason =
      hidden === undefined
        ? hider && `${hider.file} is served in place of what belongs to it`
        : `its path ${document.basePath} hides ${hidden}`;
    if (reason === undefined) return one;
    const message = `The document is not served: ${reason}. Choose another path by BASE_PATHS=${name}=/PATH.`;
    return {
      ...{ name, file, document: undefined },
      problems: [...problems, placeProblem(document, 'error', message)],
    };
  });
};

/** Decides for each file what is served: what it says, or what was served of it before. */
const decide = async (
  read: readonly ReadFile[],
  served: readonly DocumentState[],
  refusals: Refusals,
  options: DocumentOptions,
): Promise<readonly DocumentState[]> => {
  const before = new Map(served.flatMap((one) => (one.document ? [[one.file, one] as const] : [])));
  const isReload = served.length > 0;

  /** Why a file is not taken up; undefined where it is. */
  const refusalOf = ({ file, document, problems }: ReadFile): readonly Diagnostic[] | undefined => {
    const refusal = refusals.get(file);
    if (refusal !== undefined) return refusal;
    if (document === undefined || (isReload && options.strict && problems.some(isError))) {
      return withCauses(problems, problems.filter(isError));
    }
    const known = before.get(file);
    const added = known && newErrors(known.problems, problems);
    return added && added.length > 0 ? added : undefined;
  };

  const kept = new Map<string, DocumentState>();
  const keep = (one: ReadFile): boolean => {
    const known = before.get(one.file);
    const refusal = refusalOf(one);
    if (known === undefined || refusal === undefined || kept.has(one.file)) return false;
    kept.set(one.file, keptVersion(known, refusal));
    return true;
  };
  read.forEach(keep);
  const settleRest = () =>
    settle(
      read.filter(({ file }) => !kept.has(file)),
      [...kept.values()],
      options,
    );
  let settled = await settleRest();
  // One that finds no place stays where it was, and may so take another's.
  while (settled.some(keep)) settled = await settleRest();

  const stateOf = (one: ReadFile): DocumentState => {
    const { name, file, document, problems } = one;
    const refused = refusalOf(one);
    if (refused !== undefined || document === undefined) {
      const rest = { document: undefined, problems: [], refused: refused ?? problems };
      return { name, file, state: 'unserved', ...rest };
    }
    const state = problems.some(isError) ? 'faulty' : 'current';
    return { name, file, state, document, problems, refused: [] };
  };
  const states = [...kept.values(), ...settled.map(stateOf)];
  const order = read.map(({ file }) => file);
  return states.sort((one, other) => order.indexOf(one.file) - order.indexOf(other.file));
};

/** As many as a reader looks at when the program starts. */
const mostProblems = 20;

const counted = (problems: readonly Diagnostic[], severity: Diagnostic['severity']): string => {
  const count = problems.filter((problem) => problem.severity === severity).length;
  return `${count} ${severity}${count === 1 ? '' : 's'}`;
};

/** The problems for readers, a line each; with many of them, how many each file has, and the first of all. */
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

/** Documents that are not served, and why; the message has the problems, too. */
export class RefusedDocuments extends Error {
  readonly reason: string;
  readonly problems: readonly Diagnostic[];

  constructor(reason: string, problems: readonly Diagnostic[]) {
    super([...problemLines(problems), reason].join('\n'));
    this.reason = reason;
    this.problems = problems;
  }
}

/** The documents that are served, in the order of their names. */
export const servedDocuments = (states: readonly DocumentState[]): readonly ApiDocument[] =>
  states.flatMap(({ document }) => document ?? []);

/** What is wrong with the files and with what is served of them. */
export const problemsOf = (states: readonly DocumentState[]): readonly Diagnostic[] =>
  states.flatMap(({ problems, refused }) => [...refused, ...problems]);

/** Files that others refer to need not be documents themselves. */
const isPart = (
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
  const files = (await readdir(directory)).filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
  const { basePaths = new Map<string, string>(), strict = false, requireAll = false } = options;
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
  const read = all.filter((one) => known(one.file) || !isPart(one, all, served));
  const states = await decide(read, served, refusals, options);
  const problems = problemsOf(states);
  if (servedDocuments(states).length === 0) {
    throw new RefusedDocuments(`${directory} has no OpenAPI document to serve`, problems);
  }
  if (served.length > 0) return states;
  if (strict && problems.some(isError)) {
    const reason = 'Nothing is served while a document has errors (--strict)';
    throw new RefusedDocuments(reason, problems);
  }
  const unserved = states.filter(({ state }) => state === 'unserved');
  if (requireAll && unserved.length > 0) {
    const reason = `In production nothing is served while a document cannot be (${unserved.map(({ file }) => file).join(', ')}). Correct it, or take it out of ${directory}.`;
    throw new RefusedDocuments(reason, problemsOf(unserved));
  }
  return states;
};
