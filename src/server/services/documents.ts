/** Loads every document of the specs directory; one that cannot be loaded is reported, and the others are served. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
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

const loadOne = async (file: string, options: DocumentOptions): Promise<Loaded> => {
  const { authUrlOf, allowRemote = false } = options;
  const variables = (basePath: string) => ({ auth_url: authUrlOf(basePath) });
  try {
    return { document: await loadApiDocument(file, { variables, allowRemote }) };
  } catch (error) {
    if (error instanceof UnreadableDocument) return { problem: error.diagnostic, file };
    throw error;
  }
};

/** Why a document cannot be served beside one that already is; undefined where it can. */
const clash = (document: ApiDocument, other: ApiDocument): string | undefined => {
  if (document.basePath === other.basePath) {
    return `${other.file} has the same server path ${document.basePath || '/'}. Change the URL of one of them.`;
  }
  return document.name === other.name ? `${other.file} has the same name. Rename one.` : undefined;
};

/** Of documents that clash the first is served. */
const separate = (documents: readonly ApiDocument[]): LoadedDocuments => {
  const served: ApiDocument[] = [];
  const problems: Diagnostic[] = [];
  for (const document of documents) {
    problems.push(...document.diagnostics);
    const reason = served.map((other) => clash(document, other)).find((text) => text !== undefined);
    if (reason === undefined) {
      served.push(document);
      continue;
    }
    const message = `The document is not served: ${reason}`;
    const pointer = '/servers/0/url';
    problems.push(document.locate({ severity: 'error', rule: 'server-path', pointer, message }));
  }
  return { documents: served, problems };
};

const refuse = (reason: string, problems: readonly Diagnostic[]): Error =>
  new Error([...problems.map(describeDiagnostic), reason].join('\n'));

/**
 * Loads the documents of a directory. A file that others refer to need not be a document itself.
 * @throws Error where there is nothing to serve, or with `strict` where anything is wrong
 */
export const loadDocuments = async (
  directory: string,
  options: DocumentOptions,
): Promise<LoadedDocuments> => {
  const files = (await readdir(directory)).filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
  const loaded = await Promise.all(files.map((name) => loadOne(join(directory, name), options)));
  const all = loaded.flatMap((one) => ('document' in one ? [one.document] : []));
  const parts = new Set(all.flatMap((document) => [...document.files]));
  const refused = loaded.flatMap((one) =>
    'problem' in one && !parts.has(uriOf(one.file)) ? [one.problem] : [],
  );
  const { documents, problems } = separate(all);
  const found = [...refused, ...problems];
  if (documents.length === 0) throw refuse(`${directory} has no OpenAPI document to serve`, found);
  if (options.strict === true && found.some(({ severity }) => severity === 'error')) {
    throw refuse('Nothing is served while a document has errors (--strict)', found);
  }
  return { documents, problems: found };
};
