/** `diff OLD NEW`, and `diff --base REVISION [FILE…]`, compare documents. */

import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { errorMessage } from '../../base/error-message';
import { recover } from '../../base/recover';
import {
  type AllowEntry,
  allowEntryText,
  diffDocuments,
  diffFormats,
  type FailOn,
  InvalidAllowFile,
  isFailing,
  readAllowFile,
  versionFaults,
  withoutAllowed,
} from '../../contract';
import { isDocumentName } from '../../document/source/source-files';
import { type ReadDocument, readDocument } from '../../host/documents';
import { dayOf } from '../../model/deprecation';
import {
  exitCodes,
  formatOption,
  type MakeCommand,
  type OverlayOptions,
  overlayOption,
  overlaysOf,
  paintReport,
} from '../command/command';
import { type RevisionFiles, withRevision } from './revision-files';

const readAllowed = async (file: string | undefined): Promise<readonly AllowEntry[]> => {
  if (file === undefined) return [];
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(`The file ${file} cannot be read: ${errorMessage(error)}`);
  });
  const refuse = ({ message }: InvalidAllowFile): never => {
    throw new Error(`The file ${file} cannot be used: ${message}`);
  };
  return recover(() => readAllowFile(text), InvalidAllowFile, refuse);
};

/** The same document before and now; undefined where it is new, or gone. */
type DocumentVersions = readonly [old: ReadDocument | undefined, now: ReadDocument | undefined];

const isUnreadable = (read: ReadDocument | undefined): boolean =>
  read !== undefined && read.document === undefined;

/** Compares what could be read; the errors of the documents, unreadable ones among them, may hide more. */
const comparePairs = (pairs: readonly DocumentVersions[]) => {
  const read = pairs.flat().filter((document) => document !== undefined);
  return {
    pairs: pairs
      .filter((pair) => !pair.some(isUnreadable))
      .map(([{ document: old } = {}, { document: now } = {}]) => {
        // What is new, or gone, is compared with the same document without its operations.
        const document = old ?? now;
        const empty = document && { ...document, operations: [], webhooks: [] };
        const [before, after] = [old ?? empty, now ?? empty];
        return { old, now, changes: before && after ? diffDocuments(before, after) : [] };
      }),
    problems: read.flatMap((one) => one.problems).filter(({ severity }) => severity === 'error'),
    isComplete: !read.some(isUnreadable),
  };
};

type LoadPair = (file: string) => Promise<DocumentVersions>;

const pairsIn = async (folder: string, { namesIn }: RevisionFiles, loadPair: LoadPair) => {
  const here = existsSync(folder) ? readdirSync(folder).filter(isDocumentName) : [];
  const there = namesIn(folder).filter(isDocumentName);
  const names = new Set([...here.map((name) => join(folder, name)), ...there]);
  // Files that only others refer to are no documents.
  const isPart = (read: ReadDocument | undefined) =>
    read?.problems.some(({ rule }) => rule === 'no-openapi');
  const pairs: DocumentVersions[] = [];
  for (const name of [...names].sort()) {
    const [old, now] = await loadPair(name);
    pairs.push([isPart(old) ? undefined : old, isPart(now) ? undefined : now]);
  }
  return pairs;
};

/**
 * Compares two files, or files with what a git revision has under their names: every document of the folder, where none is named.
 * @throws Error in one sentence where the revision cannot be read
 */
const compare = async (
  files: readonly string[],
  base: string | undefined,
  folder: string | undefined,
  overlaysFor: (file: string, path?: string) => readonly string[],
) => {
  const read = (file: string) => readDocument(file, { overlays: overlaysFor(file) });
  if (base === undefined) {
    const [old, now] = files;
    if (old === undefined || now === undefined || files.length > 2) {
      throw new Error('Name two documents, the old one and the new one, or give --base REVISION.');
    }
    return comparePairs([[await read(old), await read(now)]]);
  }
  if (files.length === 0 && folder === undefined) {
    throw new Error(`Name the documents to compare with those of ${base}.`);
  }
  return withRevision(base, async (revision) => {
    const loadPair: LoadPair = async (file) => {
      const loadIfThere = async (path: string, calledAs: string) =>
        existsSync(path)
          ? readDocument(path, { calledAs, overlays: overlaysFor(file, path) })
          : undefined;
      const old = await loadIfThere(revision.pathOf(file), `${base}:${file}`);
      return [old, await loadIfThere(file, file)];
    };
    // One that is neither here nor there is looked for here, to say that it is missing.
    const loadNamed: LoadPair = async (file) => {
      const pair = await loadPair(file);
      return pair[0] || pair[1] ? pair : [undefined, await read(file)];
    };
    return comparePairs(
      files.length === 0
        ? await pairsIn(folder ?? '.', revision, loadPair)
        : await Promise.all(files.map(loadNamed)),
    );
  });
};

/** Makes the command. */
export const diffCommand: MakeCommand = (context, finish) =>
  new Command()
    .argument('[file...]', 'the old document and the new one; with --base the new ones')
    .addOption(overlayOption())
    .option('--base <revision>', 'compare with the documents of a git revision')
    .addOption(formatOption(Object.keys(diffFormats)))
    .addOption(
      new Option('--fail-on <severity>', 'exit 1 from this severity on')
        .choices(['breaking', 'warning', 'any', 'none'] satisfies FailOn[])
        .default('breaking'),
    )
    .option('--allow <file>', 'accepted changes (YAML)')
    .option('--semver', 'exit 1 unless info.version rises as the changes ask')
    .action(
      async (
        files: string[],
        options: OverlayOptions & {
          format: keyof typeof diffFormats;
          failOn: FailOn;
          base?: string;
          allow?: string;
          semver?: true;
        },
      ) => {
        const { out, err, documentsFolder } = context;
        const { format, failOn, base, allow, semver } = options;
        const entries = await readAllowed(allow);
        const today = dayOf(new Date());
        const compared = await compare(files, base, documentsFolder, (file, path) =>
          overlaysOf(file, options, context, path),
        );
        const found = compared.pairs.flatMap((pair) => pair.changes);
        const { changes, expired, unmatched } = withoutAllowed(found, entries, today);
        for (const entry of expired) {
          err(`Expired on ${entry.expires}, and counts again: ${allowEntryText(entry)}.\n`);
        }
        for (const entry of unmatched) err(`Matches no change: ${allowEntryText(entry)}.\n`);
        const counted = new Set(changes);
        const versions = compared.pairs.flatMap(({ old, now, changes: own }) => {
          const ofPair = own.filter((change) => counted.has(change));
          return now ? versionFaults(old, now, ofPair) : [];
        });
        const problems = [...compared.problems, ...(semver === true ? versions : [])];
        out(paintReport(context, format, diffFormats[format]({ changes, problems, failOn })));
        // Errors of the documents may hide changes: the comparison fails with them, whatever it has found.
        const isFaulty = problems.length > 0 || changes.some((change) => isFailing(change, failOn));
        const exitCode = isFaulty ? exitCodes.faulty : exitCodes.clean;
        finish(compared.isComplete ? exitCode : exitCodes.unusable);
      },
    );
