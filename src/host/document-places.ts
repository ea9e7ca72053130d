/** Decides at which path each document is served: documents that clash are moved, or not served. */

import type { Diagnostic } from '../document/diagnostics/diagnostic';
import { hiddenOperations } from '../document/hidden-operations';
import { type ApiDocument, routeTable } from '../engine';

/** A file as it was read: a document, or the reasons for having none. */
export interface ReadFile {
  readonly name: string;
  readonly file: string;
  readonly document: ApiDocument | undefined;
  readonly problems: readonly Diagnostic[];
}

/** The settings by which documents are loaded and placed. */
export interface DocumentOptions {
  readonly allowRemoteReferences?: boolean | undefined;
  /** Follows references to local files below this folder; by default the document's own. */
  readonly referencesDirectory?: string | undefined;
  /** Paths of overlays of all documents; those beside a document of a folder are applied before. */
  readonly overlays?: readonly string[] | undefined;
  /** Gives the URL for `{auth_url}` of a document by its base path; it stays as it is where this is not given. */
  readonly authUrlOf?: (basePath: string) => string;
  /** Refuses documents with errors: one stops the start, and is not taken up by a reload. */
  readonly strictDocuments?: boolean;
  readonly production?: boolean;
  /** The command that shows all problems of a document; that of this project where it is not given. */
  readonly checkCommand?: string;
  readonly basePaths?: ReadonlyMap<string, string>;
  readonly operatorPages?: readonly string[];
  /**
   * Serves what a developer names as far as it goes: names may come twice, each document finds a path and none is refused for what it
   * hides; files of folders that say nothing of OpenAPI are left out.
   */
  readonly lenient?: boolean;
}

type ReadDocument = ReadFile & { readonly document: ApiDocument };

const hasDocument = (file: ReadFile): file is ReadDocument => file.document !== undefined;

const withProblem = (
  file: ReadDocument,
  severity: Diagnostic['severity'],
  message: string,
): ReadFile => {
  const problem = { severity, rule: 'server-path', pointer: '/servers/0/url', message } as const;
  return { ...file, problems: [...file.problems, file.document.locate(problem)] };
};

const unplaced = (file: ReadDocument, reason: string): ReadFile => ({
  ...withProblem(file, 'error', `The document is not served: ${reason}`),
  document: undefined,
});

/** The paths of a service beside its operations, below its base path. */
const servicePaths = ['/docs', '/docs.md', '/files', '/oauth', '/openapi.json', '/openapi.yaml'];

const isBelow = (path: string, other: string): boolean =>
  path === other || path.startsWith(`${other}/`);

const hiddenRoute = (
  { name, basePath }: ApiDocument,
  others: readonly ApiDocument[],
): string | undefined => {
  for (const other of others) {
    const hidden = servicePaths.find((path) => isBelow(basePath, other.basePath + path));
    if (other.name !== name && hidden !== undefined) {
      return `${other.basePath}${hidden} of ${other.name}`;
    }
  }
  return undefined;
};

/** Says why a document cannot be served where it is, beside the others; undefined where it can. */
const hidingReason = (
  document: ApiDocument,
  served: readonly ApiDocument[],
  kept: readonly ApiDocument[],
  pages: readonly string[],
): string | undefined => {
  const { basePath } = document;
  const isHidden = (page: string) =>
    page !== '/' && (isBelow(basePath, page) || isBelow(page, basePath));
  // One at the root hides pages by its operations alone.
  const page = basePath === '' ? undefined : ['/.well-known', '/llms.txt', ...pages].find(isHidden);
  const hidden = hiddenRoute(document, served) ?? (page && `${page} of the server itself`);
  if (hidden !== undefined) return `its path ${basePath} hides ${hidden}`;
  const hider = kept.find((other) => hiddenRoute(other, [document]) !== undefined);
  return hider && `${hider.file} is served in place of what belongs to it`;
};

/** Refuses a document that would hide others, or is hidden; warns where operations are hidden, or hide pages of the server. */
const withoutHiding = (
  file: ReadDocument,
  served: readonly ApiDocument[],
  kept: readonly ApiDocument[],
  { operatorPages: pages = [], lenient = false }: DocumentOptions,
): ReadFile => {
  const { name, document } = file;
  const find = routeTable(document.operations);
  const hiddenPages =
    document.basePath === '' ? pages.filter((page) => find(page) !== undefined) : [];
  if (hiddenPages.length > 0) {
    const message = `Operations of this document hide the server's own ${hiddenPages.join(', ')}. OPERATOR_PATH=/PATH serves those elsewhere.`;
    return withProblem(file, 'warning', message);
  }
  const reason = lenient ? undefined : hidingReason(document, served, kept, pages);
  return reason === undefined
    ? { ...file, problems: [...file.problems, ...hiddenOperations(document, served)] }
    : unplaced(file, `${reason}. Choose another path by BASE_PATHS=${name}=/PATH.`);
};

/** Finds a place for a document beside those that have one: where it wants to be, else at its name. */
const place = async (
  read: ReadDocument,
  served: readonly ApiDocument[],
  { basePaths, lenient = false }: DocumentOptions,
  readAt: (file: string, basePath: string) => Promise<ReadFile>,
): Promise<ReadFile> => {
  const { name, file, document } = read;
  const at = (path: string) => served.find(({ basePath }) => basePath === path);
  const namesake = served.find((other) => other.name === name);
  if (namesake !== undefined && !lenient) {
    return unplaced(read, `${namesake.file} has the same name. Rename one.`);
  }
  const other = at(document.basePath);
  if (other === undefined) return read;
  const clash = `${other.file} has the same server path ${document.basePath || '/'}`;
  let path = `/${encodeURIComponent(name)}`;
  if (!lenient && (at(path) !== undefined || basePaths?.has(name))) {
    return unplaced(read, `${clash}. Change one of them by BASE_PATHS=${name}=/PATH.`);
  }
  for (let count = 2; at(path) !== undefined; count += 1) {
    path = `/${encodeURIComponent(name)}-${count}`;
  }
  const advice = lenient ? '' : ` BASE_PATHS=${name}=/PATH chooses another.`;
  const message = `${clash}, so that this document is served at ${path}.${advice}`;
  const moved = await readAt(file, path);
  return { ...moved, problems: withProblem(read, 'warning', message).problems };
};

/**
 * Finds places for documents, in their order.
 *
 * @param kept - documents that stay where they are: the others make room
 * @param readAt - reads a document again, at another path
 */
export const placeDocuments = async (
  read: readonly ReadFile[],
  kept: readonly ApiDocument[],
  options: DocumentOptions,
  readAt: (file: string, basePath: string) => Promise<ReadFile>,
): Promise<readonly ReadFile[]> => {
  const served = [...kept];
  const placed: ReadFile[] = [];
  for (const candidate of read) {
    const found = hasDocument(candidate)
      ? await place(candidate, served, options, readAt)
      : candidate;
    placed.push(found);
    if (hasDocument(found)) served.push(found.document);
  }
  return placed.map((file) =>
    hasDocument(file) ? withoutHiding(file, served, kept, options) : file,
  );
};
