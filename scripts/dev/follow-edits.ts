/** Follows edits: reads documents and handlers again when they are saved, and prints the outcome. */

import { basename, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type DocumentState, servedDocuments } from '../../src/host/documents';
import { stateFault } from '../../src/host/reload-result';
import { documentVersion } from '../../src/host/served-version';
import {
  changedFiles,
  type FileContents,
  readContents,
  type WatchedPlaces,
  watchFiles,
} from '../../src/host/watched-files';
import type { App } from '../../src/server/app';
import type { Config } from '../../src/server/config/config';
import type { RunningServer } from '../../src/server/server';
import { type AccountedApp, accountLines } from './contract-account';
import { faultLines, problemFrames } from './faults';
import type { FreshHandlers } from './fresh-handlers';

type Folders = Pick<Config, 'specsDirectory' | 'handlersDirectory'>;

/** Settings for following edits. */
interface FollowOptions {
  readonly server: Pick<RunningServer, 'app' | 'reload'>;
  readonly config: Folders;
  readonly handlers: FreshHandlers;
  /** The result of `readEdited` before the server read anything. */
  readonly atStart: FileContents;
  /** Called when an edit was taken up. */
  readonly accepted: (app: App) => void;
  readonly print: (lines: readonly string[], isFault?: boolean) => void;
}

/** Follows edits until it is closed. */
interface EditFollower {
  close(): void;
}

/** Generated types have nothing in them that runs. */
const isGenerated = (file: string): boolean => basename(file) === 'types.ts';

/** Reads the files in the folders of which edits count: documents and their parts, handlers and the modules that they load. */
export const readEdited = ({ specsDirectory, handlersDirectory }: Folders): FileContents => {
  const isModule = (file: string): boolean => /\.([jt]s|json)$/.test(file) && !isGenerated(file);
  return new Map([
    ...readContents({ folders: [specsDirectory], files: [] }, (file) =>
      /\.(ya?ml|json)$/.test(file),
    ),
    ...readContents({ folders: [handlersDirectory], files: [] }, isModule),
  ]);
};

/** Documents that an edit has kept from being taken up, or that have another reason for it than before. */
const newlyRefused = (
  before: readonly DocumentState[],
  now: readonly DocumentState[],
): readonly DocumentState[] =>
  now.filter((state) => {
    const past = before.find(({ file }) => file === state.file)?.refused ?? [];
    return state.refused.length > 0 && !isDeepStrictEqual(past, state.refused);
  });

const textsOf = (states: readonly DocumentState[]): string =>
  JSON.stringify(servedDocuments(states).map(documentVersion));

/** Gives an application without the problems of refused documents. */
const withoutRefused = (app: App): AccountedApp => {
  const refused = new Set(app.states.flatMap((state) => state.refused));
  return { ...app, problems: app.problems.filter((problem) => !refused.has(problem)) };
};

/** Starts to follow edits. */
export const followEdits = (options: FollowOptions): EditFollower => {
  const { server, config, handlers, atStart, accepted, print } = options;
  const handlersFolder = resolve(config.handlersDirectory);
  const isHandler = (file: string): boolean => file.startsWith(handlersFolder + sep);
  /** Files of the documents, wherever they are. */
  const elsewhere = (): string[] =>
    server.app.documents
      .flatMap(({ files }) => [...files])
      .filter((uri) => uri.startsWith('file:'))
      .map((uri) => fileURLToPath(uri));
  const places = (): WatchedPlaces => ({
    folders: [config.specsDirectory, handlersFolder],
    files: elsewhere(),
  });

  const readElsewhere = (): FileContents => readContents({ folders: [], files: elsewhere() });
  let contents: FileContents = new Map([...readElsewhere(), ...atStart]);
  let isBusy = false;
  let isChanged = false;

  const takeUp = async (): Promise<void> => {
    const before = server.app;
    const start = performance.now();
    const { mended } = await server.reload();
    const { app } = server;
    const milliseconds = Math.round(performance.now() - start);
    for (const { file, state, refused } of newlyRefused(before.states, app.states)) {
      print([...problemFrames(refused), `${file} ${stateFault(state)}`], true);
    }
    // Where handlers cannot be loaded, that has been said, and may be all that there is.
    const isNew = handlers.isBehind()
      ? textsOf(before.states) !== textsOf(app.states)
      : app.version !== before.version;
    if (!isNew && mended.length === 0) return;
    print([
      `Read and served in ${milliseconds} ms: version ${app.version}`,
      ...mended,
      ...accountLines(withoutRefused(before), withoutRefused(app)),
    ]);
    accepted(app);
  };

  const follow = async (): Promise<void> => {
    const edited = readEdited(config);
    const now: FileContents = new Map([...edited, ...readElsewhere()]);
    const changed = changedFiles(contents, now);
    contents = now;
    if (changed.length > 0) {
      if (changed.some(isHandler)) handlers.forget();
      await takeUp().catch((error: unknown) => print(faultLines(error, handlersFolder), true));
      // A document may refer to other files than before. What was saved meanwhile is still to be taken up.
      const others = [...readElsewhere()].map(
        ([file, hash]) => [file, now.get(file) ?? hash] as const,
      );
      contents = new Map([...others, ...edited]);
    }
    watcher.watch(places());
  };

  const run = async (): Promise<void> => {
    isChanged = true;
    if (isBusy) return;
    isBusy = true;
    while (isChanged) {
      isChanged = false;
      await follow();
    }
    isBusy = false;
  };

  const runSafely = (): void => {
    run().catch((error: unknown) => {
      isBusy = false;
      print([String(error)], true);
    });
  };

  const watcher = watchFiles(runSafely);
  watcher.watch(places());
  // What was saved while the server started.
  runSafely();
  return { close: watcher.close };
};
