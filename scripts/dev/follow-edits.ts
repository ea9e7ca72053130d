/** Takes up what an author saves: reads documents and handlers again, and tells what became of it. */

import { basename, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
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

/** What edits are followed with. */
interface FollowOptions {
  readonly server: Pick<RunningServer, 'app' | 'reload'>;
  readonly config: Pick<Config, 'specsDirectory' | 'handlersDirectory'>;
  readonly handlers: FreshHandlers;
  /** Called when an edit was taken up. */
  readonly accepted: () => void;
  readonly print: (lines: readonly string[], isFault?: boolean) => void;
}

/** Follows edits until it is closed. */
export interface EditFollower {
  close(): void;
}

/** Generated types have nothing in them that runs. */
const isGenerated = (file: string): boolean => basename(file) === 'types.ts';

/** Starts to follow edits. */
export const followEdits = (options: FollowOptions): EditFollower => {
  const { server, config, handlers, accepted, print } = options;
  const handlersFolder = resolve(config.handlersDirectory);
  const isHandler = (file: string): boolean => file.startsWith(handlersFolder + sep);
  const counts = (file: string): boolean =>
    isHandler(file)
      ? /\.[jt]s$/.test(file) && !isGenerated(file)
      : /\.(ya?ml|json)$/.test(file) || elsewhere().includes(file);
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

  let contents: FileContents = readContents(places(), counts);
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
    accepted();
  };

  const follow = async (): Promise<void> => {
    const now = readContents(places(), counts);
    const changed = changedFiles(contents, now);
    contents = now;
    if (changed.length > 0) {
      if (changed.some(isHandler)) handlers.forget();
      await takeUp().catch((error: unknown) => print(faultLines(error, handlersFolder), true));
      // A document that refers to other files than before brings them along. What was saved meanwhile is still to be taken up.
      contents = new Map([...readContents({ folders: [], files: elsewhere() }, counts), ...now]);
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

  const watcher = watchFiles(() => {
    run().catch((error: unknown) => {
      isBusy = false;
      print([String(error)], true);
    });
  });
  watcher.watch(places());
  return { close: watcher.close };
};
