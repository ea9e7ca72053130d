/** Takes up what an author saves: reads documents and handlers again, and tells what became of it. */

import { basename, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App } from '../../src/server/app';
import type { Config } from '../../src/server/config/config';
import type { RunningServer } from '../../src/server/server';
import { accountLines } from './contract-account';
import { faultLines } from './faults';
import type { FreshHandlers } from './fresh-handlers';
import {
  changedFiles,
  type FileContents,
  readContents,
  type WatchedPlaces,
  watchFiles,
} from './watched-files';

type Folders = Pick<Config, 'specsDirectory' | 'handlersDirectory'>;

/** What edits are followed with. */
interface FollowOptions {
  readonly server: Pick<RunningServer, 'app' | 'reload'>;
  readonly config: Folders;
  readonly handlers: FreshHandlers;
  /** What `readEdited` gave before the server read anything. */
  readonly atStart: FileContents;
  /** Called when an edit was taken up. */
  readonly accepted: (app: App) => void;
  readonly print: (lines: readonly string[], isFault?: boolean) => void;
}

/** Follows edits until it is closed. */
export interface EditFollower {
  close(): void;
}

/** Generated types have nothing in them that runs. */
const isGenerated = (file: string): boolean => basename(file) === 'types.ts';

/** What the folders have in them that is taken up: documents and their parts, handlers and what they load. */
export const readEdited = ({ specsDirectory, handlersDirectory }: Folders): FileContents => {
  const isModule = (file: string): boolean => /\.([jt]s|json)$/.test(file) && !isGenerated(file);
  return new Map([
    ...readContents({ folders: [specsDirectory], files: [] }, (file) =>
      /\.(ya?ml|json)$/.test(file),
    ),
    ...readContents({ folders: [handlersDirectory], files: [] }, isModule),
  ]);
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
    const app = await server.reload();
    // Where handlers cannot be loaded, that has been said, and may be all that there is.
    if (handlers.isBehind() && app.version === before.version) return;
    const milliseconds = Math.round(performance.now() - start);
    print([
      `Read and served in ${milliseconds} ms: version ${app.version}`,
      ...accountLines(before, app),
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
