/** Loads pairs of documents and compares them. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, diffDocuments } from '../../contract';
import type { Diagnostic } from '../../document/diagnostics/diagnostic';
import type { ApiDocument } from '../../engine';
import { isDiagnostic, loadReadable } from '../command/load-readable';
import { type RevisionFiles, withRevision } from './revision-files';

/** The outcome of comparing documents: what could be compared, and the errors that may hide more. */
export interface ComparedDocuments {
  readonly changes: readonly Change[];
  /** The errors of the documents, old and new; those of unreadable files among them. */
  readonly problems: readonly Diagnostic[];
  /** False where a document could not be read, so that it was not compared. */
  readonly isComplete: boolean;
}

interface FileName {
  readonly path: string;
  readonly calledAs: string;
}

/** One of them is undefined where the document is new, or gone. */
interface Pair<Item> {
  readonly old: Item | undefined;
  readonly new: Item | undefined;
}

type Loaded = ApiDocument | Diagnostic | undefined;

const load = async (file: FileName | undefined): Promise<Loaded> =>
  file && loadReadable(file.path, { calledAs: file.calledAs });

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

const sameName = (path: string): FileName => ({ path, calledAs: path });

const loadPair = async ({ old, new: now }: Pair<FileName>): Promise<Pair<Loaded>> => ({
  old: await load(old),
  new: await load(now),
});

const errorsOf = (loaded: Loaded): readonly Diagnostic[] => {
  if (isDiagnostic(loaded)) return [loaded];
  return loaded?.diagnostics.filter(({ severity }) => severity === 'error') ?? [];
};

const comparePairs = (pairs: readonly Pair<Loaded>[]): ComparedDocuments => {
  const all = pairs.flatMap(({ old, new: now }) => [old, now]);
  return {
    changes: pairs.flatMap(({ old, new: now }) =>
      isDiagnostic(old) || isDiagnostic(now) ? [] : diffOf(old, now),
    ),
    problems: all.flatMap(errorsOf),
    isComplete: !all.some(isDiagnostic),
  };
};

/** Compares two files. */
export const compareFiles = async (old: string, now: string): Promise<ComparedDocuments> =>
  comparePairs([await loadPair({ old: sameName(old), new: sameName(now) })]);

const documentsIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /\.(?:ya?ml|json)$/i.test(name))
        .map((name) => join(folder, name))
    : [];

/** Files that only others refer to are no documents. */
const withoutPart = (loaded: Loaded): Loaded =>
  isDiagnostic(loaded) && loaded.rule === 'no-openapi' ? undefined : loaded;

const fileNames = (file: string, revision: string, files: RevisionFiles): Pair<FileName> => {
  const path = files.pathOf(file);
  return {
    old: existsSync(path) ? { path, calledAs: `${revision}:${file}` } : undefined,
    new: existsSync(file) ? sameName(file) : undefined,
  };
};

/** The documents of a folder, today's and those of the revision. */
const pairsIn = async (
  folder: string,
  revision: string,
  files: RevisionFiles,
): Promise<readonly Pair<Loaded>[]> => {
  const names = new Set([...documentsIn(folder), ...files.namesIn(folder)]);
  const pairs: Pair<Loaded>[] = [];
  for (const name of [...names].sort()) {
    const { old, new: now } = await loadPair(fileNames(name, revision, files));
    pairs.push({ old: withoutPart(old), new: withoutPart(now) });
  }
  return pairs;
};

/** One that is neither here nor there is looked for here, to say that it is missing. */
const loadNamed = (file: string, revision: string, files: RevisionFiles): Promise<Pair<Loaded>> => {
  const names = fileNames(file, revision, files);
  return loadPair(names.old || names.new ? names : { ...names, new: sameName(file) });
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
