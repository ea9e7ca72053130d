/** Loads pairs of documents and compares them. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, diffDocuments } from '../../../src/contract';
import {
  type ApiDocument,
  type Diagnostic,
  describeDiagnostic,
  loadApiDocument,
  parseApiDocument,
  UnreadableDocument,
} from '../../../src/engine';
import { type RevisionFiles, withRevision } from './revision-files';

/** Documents that cannot be read, a sentence each. */
export class UnreadableDocuments extends Error {
  readonly sentences: readonly string[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super('Documents cannot be read');
    this.name = 'UnreadableDocuments';
    this.sentences = diagnostics.map(describeDiagnostic);
  }
}

interface FileName {
  readonly path: string;
  readonly calledAs: string;
}

interface FilePair {
  /** Undefined where the document is new, or gone. */
  readonly old: FileName | undefined;
  readonly new: FileName | undefined;
}

type Loaded = ApiDocument | Diagnostic | undefined;

const load = async (file: FileName | undefined): Promise<Loaded> => {
  if (file === undefined) return undefined;
  try {
    return await loadApiDocument(file.path, { calledAs: file.calledAs });
  } catch (error) {
    if (error instanceof UnreadableDocument) return error.diagnostic;
    throw error;
  }
};

const isDiagnostic = (loaded: Loaded): loaded is Diagnostic =>
  loaded !== undefined && 'severity' in loaded;

/** A document without operations, at the address of another one. */
const withoutOperations = ({ file, definition }: ApiDocument): ApiDocument => {
  const { openapi, info, servers } = definition;
  return parseApiDocument(file, JSON.stringify({ openapi, info, servers, paths: {} }));
};

const diffOf = (old: ApiDocument | undefined, now: ApiDocument | undefined): readonly Change[] => {
  if (old !== undefined) return diffDocuments(old, now ?? withoutOperations(old));
  return now === undefined ? [] : diffDocuments(withoutOperations(now), now);
};

const comparePairs = async (pairs: readonly FilePair[]): Promise<readonly Change[]> => {
  const changes: Change[] = [];
  const unreadable: Diagnostic[] = [];
  for (const pair of pairs) {
    const [old, now] = [await load(pair.old), await load(pair.new)];
    if (isDiagnostic(old)) unreadable.push(old);
    if (isDiagnostic(now)) unreadable.push(now);
    if (!isDiagnostic(old) && !isDiagnostic(now)) changes.push(...diffOf(old, now));
  }
  if (unreadable.length > 0) throw new UnreadableDocuments(unreadable);
  return changes;
};

/**
 * Compares two files.
 * @throws UnreadableDocuments
 */
export const compareFiles = (old: string, now: string): Promise<readonly Change[]> =>
  comparePairs([{ old: { path: old, calledAs: old }, new: { path: now, calledAs: now } }]);

const documentsIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /\.(?:ya?ml|json)$/i.test(name))
        .map((name) => join(folder, name))
    : [];

/** Files that only others refer to are no documents. */
const isPart = async (file: FileName | undefined): Promise<boolean> => {
  const loaded = await load(file);
  return loaded === undefined || (isDiagnostic(loaded) && loaded.rule === 'no-openapi');
};

const pairOf = async (
  file: string,
  revision: string,
  { pathOf }: RevisionFiles,
): Promise<FilePair> => {
  const path = await pathOf(file);
  return {
    old: existsSync(path) ? { path, calledAs: `${revision}:${file}` } : undefined,
    new: existsSync(file) ? { path: file, calledAs: file } : undefined,
  };
};

/** The documents of a folder, today's and those of the revision. */
const pairsIn = async (
  folder: string,
  revision: string,
  files: RevisionFiles,
): Promise<readonly FilePair[]> => {
  const names = new Set([...documentsIn(folder), ...files.namesIn(folder)]);
  const pairs: FilePair[] = [];
  for (const name of [...names].sort()) {
    const pair = await pairOf(name, revision, files);
    if (!((await isPart(pair.old)) && (await isPart(pair.new)))) pairs.push(pair);
  }
  return pairs;
};

/**
 * Compares files with what a git revision has under their names.
 * @param files none: every document of the folder
 * @throws UnreadableDocuments, UnreadableRevision
 */
export const compareWithRevision = (
  revision: string,
  files: readonly string[],
  folder: string,
): Promise<readonly Change[]> =>
  withRevision(revision, async (revisionFiles) => {
    if (files.length === 0) return comparePairs(await pairsIn(folder, revision, revisionFiles));
    const pairs = await Promise.all(files.map((file) => pairOf(file, revision, revisionFiles)));
    const missing = pairs.map((pair, at) =>
      pair.old || pair.new
        ? pair
        : { ...pair, new: { path: files[at] ?? '', calledAs: files[at] ?? '' } },
    );
    return comparePairs(missing);
  });
