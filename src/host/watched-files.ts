/** Notices changes of files: of those in some folders, however an editor saves them, and of single files elsewhere. */

import { hash } from 'node:crypto';
import { type FSWatcher, readdirSync, readFileSync, statSync, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { inTurn } from '../base/run-in-steps';

/** The files that are watched. */
export interface WatchedPlaces {
  /** Folders, with those in them. */
  readonly folders: readonly string[];
  /** Files in any other folder. */
  readonly files: readonly string[];
}

/** Tells by its name whether a file in a folder may be a document, a part of one, or a module. */
export const isDocumentOrModule = (file: string): boolean =>
  /\.(?:ya?ml|json|[cm]?[jt]s)$/.test(file);

/** The contents of files, by their absolute paths, as hashes. */
export type FileContents = ReadonlyMap<string, string>;

/** An editor that saves writes a file in several steps, and saves several files one after the other. */
const quietMilliseconds = 40;
/** The longest wait where files are written without a pause. */
const longestMilliseconds = 400;

/** Not there, or no longer; a link to itself; not for this user. Who loads a file that cannot be read says so. */
const missingCodes: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'];

const unlessMissing = <Value>(read: () => Value, missing: Value): Value => {
  try {
    return read();
  } catch (error) {
    if (missingCodes.includes(Reflect.get(Object(error), 'code'))) return missing;
    throw error;
  }
};

const entriesOf = (folder: string) =>
  unlessMissing(() => readdirSync(folder, { withFileTypes: true }), []).filter(
    ({ name }) => !name.startsWith('.') && name !== 'node_modules',
  );

const withSubfolders = (folder: string): string[] => [
  folder,
  ...entriesOf(folder)
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => withSubfolders(join(folder, name))),
];

/** Folders behind links cannot be read as files, and FIFOs have no end. */
const hashOf = (file: string): string =>
  unlessMissing(() => (statSync(file).isFile() ? hash('sha256', readFileSync(file)) : ''), '');

/** Reads the contents of the watched files; of those in folders, of those that count. */
export const readContents = (
  { folders, files }: WatchedPlaces,
  counts: (file: string) => boolean = () => true,
): FileContents => {
  const all = folders.flatMap((folder) => withSubfolders(resolve(folder)));
  const inFolders = all.flatMap((folder) =>
    entriesOf(folder)
      .filter((entry) => !entry.isDirectory())
      .map(({ name }) => join(folder, name)),
  );
  return new Map([...inFolders.filter(counts), ...files].map((file) => [file, hashOf(file)]));
};

/** The files that are new, gone, or have something else in them. */
export const changedFiles = (before: FileContents, now: FileContents): readonly string[] =>
  [...new Set([...before.keys(), ...now.keys()])].filter(
    (file) => before.get(file) !== now.get(file),
  );

/** Watches places until it is closed. */
export interface FileWatch {
  watch(places: WatchedPlaces): void;
  close(): void;
}

/** Calls the function soon after something in the places may have changed: a file, or what is in a folder. */
export const watchFiles = (onChange: () => void): FileWatch => {
  /** By folder and its inode: a replaced folder has to be watched again. */
  const watchers = new Map<string, FSWatcher>();
  let quiet: NodeJS.Timeout | undefined;
  let longest: NodeJS.Timeout | undefined;

  const change = (): void => {
    clearTimeout(quiet);
    clearTimeout(longest);
    longest = undefined;
    onChange();
  };

  const changeSoon = (): void => {
    clearTimeout(quiet);
    quiet = setTimeout(change, quietMilliseconds);
    longest ??= setTimeout(change, longestMilliseconds);
  };

  const open = (folder: string, only: string | undefined): FSWatcher | undefined =>
    unlessMissing(() => {
      const watcher = watch(folder, (_event, name) => {
        if (only === undefined || name === null || name === only) changeSoon();
      });
      // The folder is gone; the folder that it was in says so, too.
      watcher.on('error', () => watcher.close());
      return watcher;
    }, undefined);

  /** Folders by what is to be looked at in them; undefined: all. */
  const wanted = ({ folders, files }: WatchedPlaces): [string, string | undefined][] => {
    const roots = folders.map((folder) => resolve(folder));
    return [
      ...roots.flatMap(withSubfolders).map((each): [string, undefined] => [each, undefined]),
      ...[...roots, ...files].map((each): [string, string] => [dirname(each), basename(each)]),
    ];
  };

  /** Looks at a folder, unless it is looked at already; the key of the watcher, undefined where there is no such folder. */
  const keepWatching = (folder: string, only: string | undefined): string | undefined => {
    const inode = unlessMissing(() => statSync(folder).ino, undefined);
    const key = JSON.stringify([folder, inode, only]);
    const watcher = inode && (watchers.get(key) ?? open(folder, only));
    if (!watcher) return undefined;
    watchers.set(key, watcher);
    return key;
  };

  return {
    watch(places) {
      const keys = new Set(wanted(places).map(([folder, only]) => keepWatching(folder, only)));
      for (const [key, watcher] of watchers) {
        if (keys.has(key)) continue;
        watcher.close();
        watchers.delete(key);
      }
    },
    close() {
      clearTimeout(quiet);
      clearTimeout(longest);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
};

/**
 * Takes up changes of files, one after the other, until it is closed.
 *
 * @param atStart - the contents in the folders before anything was read of them
 * @param counts - tells of files in folders whether they count
 */
export const followFiles = (
  following: {
    places(): WatchedPlaces;
    takeUp(changed: readonly string[]): Promise<void>;
    failed(error: unknown): void;
  },
  atStart: FileContents,
  counts: (file: string) => boolean,
): FileWatch => {
  const { places, takeUp, failed } = following;
  /** Adds the files elsewhere that are followed from now on. */
  const withFollowed = (known: FileContents): FileContents =>
    new Map([...readContents({ folders: [], files: places().files }), ...known]);
  let contents = withFollowed(atStart);
  const follow = async (): Promise<void> => {
    const now = readContents(places(), counts);
    const changed = changedFiles(contents, now);
    contents = now;
    if (changed.length > 0) {
      await takeUp(changed).catch(failed);
      // A document may refer to other files than before. What came, changed or went meanwhile is still to be taken up.
      contents = withFollowed(now);
    }
    watcher.watch(places());
  };
  const runInTurn = inTurn();
  const followInTurn = (): void => {
    runInTurn(follow).catch(failed);
  };
  const watcher = watchFiles(followInTurn);
  watcher.watch(places());
  // What was saved while the program started.
  followInTurn();
  return watcher;
};
