/** Follows edits: reads documents and handlers again when they are saved, and prints the outcome. */

import { basename, resolve } from 'node:path';
import { documentVersion, placesOf } from '../../src/host/app';
import { type DocumentState, servedDocuments } from '../../src/host/documents';
import type { HandlerLoader } from '../../src/host/module-loader';
import { newlyRefused, stateFault } from '../../src/host/reload-result';
import {
  type FileContents,
  type FileWatch,
  followFiles,
  isDocumentOrModule,
  readContents,
} from '../../src/host/watched-files';
import type { ServingApp } from '../../src/server/app';
import type { Config } from '../../src/server/config/config';
import type { RunningServer } from '../../src/server/server';
import { type AccountedApp, accountLines } from './contract-account';
import { faultLines, problemFrames } from './faults';
import { storedItemLines } from './stored-items';

type Folders = Pick<Config, 'specsDirectory' | 'handlersDirectory'>;

/** Settings for following edits. */
interface FollowOptions {
  readonly server: Pick<RunningServer, 'app' | 'db' | 'reload'>;
  readonly config: Folders;
  readonly handlers: HandlerLoader;
  /** The result of `readEdited` before the server read anything. */
  readonly atStart: FileContents;
  /** Called when an edit was taken up. */
  readonly accepted: (app: ServingApp) => void;
  readonly print: (lines: readonly string[], isFault?: boolean) => void;
}

/** Documents and their parts, handlers and the modules that they load; generated types have nothing in them that runs. */
const counts = (file: string): boolean => isDocumentOrModule(file) && basename(file) !== 'types.ts';

/** Reads the files of which edits count. */
export const readEdited = ({ specsDirectory, handlersDirectory }: Folders): FileContents =>
  readContents({ folders: [specsDirectory, handlersDirectory], files: [] }, counts);

const textsOf = (states: readonly DocumentState[]): string =>
  JSON.stringify(servedDocuments(states).map(documentVersion));

/** Gives an application without the problems of refused documents. */
const withoutRefused = (app: ServingApp): AccountedApp => {
  const refused = new Set(app.states.flatMap((state) => state.refused));
  return { ...app, problems: app.problems.filter((problem) => !refused.has(problem)) };
};

/** Starts to follow edits. */
export const followEdits = (options: FollowOptions): FileWatch => {
  const { server, config, handlers, atStart, accepted, print } = options;
  const folder = resolve(config.handlersDirectory);

  const takeUp = async (changed: readonly string[]): Promise<void> => {
    const areHandled = handlers.forget(changed);
    const before = server.app;
    const start = performance.now();
    const { mended } = await server.reload();
    const { app } = server;
    const milliseconds = Math.round(performance.now() - start);
    const behind = app.services.flatMap(({ modules }) => modules.behind);
    if (areHandled) {
      for (const { reason, cause } of behind) {
        const lines = faultLines(new Error(reason, { cause }), folder);
        print([...lines, 'Its last good version stays in service'], true);
      }
    }
    for (const { file, state, refused } of newlyRefused(before.states, app.states)) {
      print([...problemFrames(refused), `${file} ${stateFault(state)}`], true);
    }
    // Where handlers cannot be loaded, that has been said, and may be all that there is.
    const isNew =
      behind.length > 0
        ? textsOf(before.states) !== textsOf(app.states)
        : app.version !== before.version;
    if (!isNew && mended.length === 0) return;
    print([
      `Read and served in ${milliseconds} ms: version ${app.version}`,
      ...mended,
      ...accountLines(withoutRefused(before), withoutRefused(app)),
      ...(await storedItemLines(before.services, app.services, server.db)),
    ]);
    accepted(app);
  };

  return followFiles(
    {
      takeUp,
      places: () =>
        placesOf({ sources: [config.specsDirectory], handlersDirectory: folder }, server.app),
      failed: (error) =>
        print([...faultLines(error, folder), 'What was served before stays in service'], true),
    },
    atStart,
    counts,
  );
};
