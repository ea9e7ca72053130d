/** Loads pairs of documents and compares them. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, diffDocuments } from '../../contract';
import type { Diagnostic } from '../../document/diagnostics/diagnostic';
import type { ApiDocument } from '../../engine';
import { type ReadDocument, readDocument } from '../../host/documents';
import { type RevisionFiles, withRevision } from './revision-files';

/** The outcome of comparing documents: what could be compared, and the errors that may hide more. */
export interface ComparedDocuments {
  readonly changes: readonly Change[];
  /** The errors of the documents, old and new; those of unreadable files among them. */
  readonly problems: readonly Diagnostic[];
  /** False where a document could not be read, so that it was not compared. */
  readonly isComplete: boolean;
}

/** The same document before and now; undefined where it is new, or gone. */
type Pair = readonly [old: ReadDocument | undefined, now: ReadDocument | undefined];

/** A document as another one, without its operations. */
const withoutOperations = (document: ApiDocument): ApiDocument => ({
  ...document,
  operations: [],
  webhooks: [],
});

const diffOf = (old: ApiDocument | undefined, now: ApiDocument | undefined): readonly Change[] => {
  if (old !== undefined) return diffDocuments(old, now ?? withoutOperations(old));
  return now === undefined ? [] : diffDocuments(withoutOperations(now), now);
};

const isUnreadable = (read: ReadDocument | undefined): boolean =>
  read !== undefined && read.document === undefined;

const comparePairs = (pairs: readonly Pair[]): ComparedDocuments => {
  const read = pairs.flat().filter((one) => one !== undefined);
  return {
    changes: pairs.flatMap(([old, now]) =>
      isUnreadable(old) || isUnreadable(now) ? [] : diffOf(old?.document, now?.document),
    ),
    problems: read.flatMap(({ problems }) =>
      problems.filter(({ severity }) => severity === 'error'),
    ),
    isComplete: !read.some(isUnreadable),
  };
};

/** Compares two files. */
export const compareFiles = async (old: string, now: string): Promise<ComparedDocuments> =>
  comparePairs([[await readDocument(old), await readDocument(now)]]);

const documentsIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /\.(?:ya?ml|json)$/i.test(name))
        .map((name) => join(folder, name))
    : [];

/** Files that only others refer to are no documents. */
const withoutPart = (read: ReadDocument | undefined): ReadDocument | undefined =>
  read?.problems.some(({ rule }) => rule === 'no-openapi') ? undefined : read;

const loadIfThere = async (path: string, calledAs: string): Promise<ReadDocument | undefined> =>
  existsSync(path) ? readDocument(path, { calledAs }) : undefined;

const loadPair = async (file: string, revision: string, files: RevisionFiles): Promise<Pair> => [
  await loadIfThere(files.pathOf(file), `${revision}:${file}`),
  await loadIfThere(file, file),
];

/** The documents of a folder, today's and those of the revision. */
const pairsIn = async (
  folder: string,
  revision: string,
  files: RevisionFiles,
): Promise<readonly Pair[]> => {
  const names = new Set([...documentsIn(folder), ...files.namesIn(folder)]);
  const pairs: Pair[] = [];
  for (const name of [...names].sort()) {
    const [old, now] = await loadPair(name, revision, files);
    pairs.push([withoutPart(old), withoutPart(now)]);
  }
  return pairs;
};

/** One that is neither here nor there is looked for here, to say that it is missing. */
const loadNamed = async (file: string, revision: string, files: RevisionFiles): Promise<Pair> => {
  const pair = await loadPair(file, revision, files);
  return pair[0] || pair[1] ? pair : [undefined, await readDocument(file)];
};

/**
 * Compares files with what a git revision has under their names.
 * @param files none: every document of the folder
 * @throws Error in one sentence where the revision cannot be read
 */
export const compareWithRevision = (
  revision: string,
  files: readonly string[],
  folder: string,
): Promise<ComparedDocuments> =>
  withRevision(revision, async (old) =>
    comparePairs(
      files.length === 0
        ? await pairsIn(folder, revision, old)
        : await Promise.all(files.map((file) => loadNamed(file, revision, old))),
    ),
  );
