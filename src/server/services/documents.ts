/** Loads every document of the specs directory; one that cannot be loaded is reported, and the others are served. */

import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import {
  type ApiDocument,
  type Diagnostic,
  describeDiagnostic,
  loadApiDocument,
  UnreadableDocument,
  uriOf,
} from '../../engine';

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
  /** Whether an error in any document keeps all from being served. */
  readonly strict?: boolean;
}

/** What the directory holds. */
export interface LoadedDocuments {
  /** In the order of their names. */
  readonly documents: readonly ApiDocument[];
  /** What is wrong with them, and with those that are not served at all. */
  readonly problems: readonly Diagnostic[];
}

type Loaded = { readonly document: ApiDocument } | { readonly problem: Diagnostic; file: string };

const loadOne = async (
  file: string,
  { authUrlOf, allowRemote = false, referencesFolder }: DocumentOptions,
  basePath: string | undefined,
): Promise<Loaded> => {
  const variables = (path: string) => ({ auth_url: authUrlOf(path) });
  try {
    const options = { variables, allowRemote, referencesFolder, basePath };
    return { document: await loadApiDocument(file, options) };
  } catch (error) {
    if (error instanceof UnreadableDocument) return { problem: error.diagnostic, file };
    throw error;
  }
};

const problemAt = (
  document: ApiDocument,
  severity: Diagnostic['severity'],
  message: string,
): Diagnostic =>
  document.locate({ severity, rule: 'server-path', pointer: '/servers/0/url', message });

/** Of documents that clash the first is served where it wants to be, the others at their names. */
const separate = async (
  documents: readonly ApiDocument[],
  options: DocumentOptions,
): Promise<LoadedDocuments> => {
  const served: ApiDocument[] = [];
  const problems: Diagnostic[] = [];
  const isTaken = (basePath: string): boolean =>
    served.some((other) => other.basePath === basePath);

  const place = async (document: ApiDocument): Promise<ApiDocument | undefined> => {
    const { name, file, basePath } = document;
    const namesake = served.find((other) => other.name === name);
    if (namesake !== undefined) {
      const message = `The document is not served: ${namesake.file} has the same name. Rename one.`;
      problems.push(problemAt(document, 'error', message));
      return undefined;
    }
    const other = served.find((one) => one.basePath === basePath);
    if (other === undefined) return document;
    const clash = `${other.file} has the same server path ${basePath || '/'}`;
    const own = `/${name}`;
    if (isTaken(own) || options.basePaths?.has(name)) {
      const message = `The document is not served: ${clash}. Change one of them by BASE_PATHS=${name}=/PATH.`;
      problems.push(problemAt(document, 'error', message));
      return undefined;
    }
    const message = `${clash}, so that this document is served at ${own}. BASE_PATHS=${name}=/PATH chooses another.`;
    problems.push(problemAt(document, 'warning', message));
    const moved = await loadOne(file, options, own);
    return 'document' in moved ? moved.document : undefined;
  };

  for (const document of documents) {
    problems.push(...document.diagnostics);
    const placed = await place(document);
    if (placed !== undefined) served.push(placed);
  }
  return { documents: served, problems };
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

/** What tells the texts of documents from any others: the beginning of their SHA-256, in hexadecimal digits. */
export const versionOf = (documents: readonly ApiDocument[]): string => {
  const hash = createHash('sha256');
  for (const { name, basePath, text } of documents) {
    hash.update(JSON.stringify([name, basePath, text]));
  }
  return hash.digest('hex').slice(0, 12);
};

/**
 * Loads the documents of a directory. A file that others refer to need not be a document itself.
 * @throws RefusedDocuments where there is nothing to serve, or with `strict` where anything is wrong; Error for unknown base paths
 */
export const loadDocuments = async (
  directory: string,
  options: DocumentOptions,
): Promise<LoadedDocuments> => {
  const files = (await readdir(directory)).filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
  const { basePaths = new Map<string, string>() } = options;
  const nameOf = (file: string): string => basename(file, extname(file));
  const missing = [...basePaths.keys()].find((name) => !files.map(nameOf).includes(name));
  if (missing !== undefined) {
    throw new Error(`BASE_PATHS names ${missing}, but ${directory} has no document of that name`);
  }
  const loaded = await Promise.all(
    files.map((file) => loadOne(join(directory, file), options, basePaths.get(nameOf(file)))),
  );
  const all = loaded.flatMap((one) => ('document' in one ? [one.document] : []));
  const parts = new Set(all.flatMap((document) => [...document.files]));
  const refused = loaded.flatMap((one) =>
    'problem' in one && !parts.has(uriOf(one.file)) ? [one.problem] : [],
  );
  const { documents, problems } = await separate(all, options);
  const found = [...refused, ...problems];
  if (documents.length === 0) {
    throw new RefusedDocuments(`${directory} has no OpenAPI document to serve`, found);
  }
  if (options.strict === true && found.some(({ severity }) => severity === 'error')) {
    throw new RefusedDocuments('Nothing is served while a document has errors (--strict)', found);
  }
  return { documents, problems: found };
};
