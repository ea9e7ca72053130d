/** Keeps what is served up to date with the files of documents and handlers, and says what is served and what is wrong. */

import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '../../base/error-message';
import { printable } from '../../base/text/printable';
import type { Diagnostic } from '../../document/diagnostics/diagnostic';
import { isRemote, uriOf } from '../../document/source/source-files';
import type { ApiDocument } from '../../engine';
import { type LoadedFolder, moduleLoader } from '../../host/module-loader';
import type { WatchedPlaces } from '../../host/watched-files';
import { type DocumentSettings, isFolder, problemLines, readDocuments } from './read-documents';
import { type AppSettings, type ServedApp, type ServedDocument, servedApp } from './served-app';

/** The settings of an application. */
export interface CurrentSettings extends DocumentSettings, AppSettings {
  /** The folder of the handlers; undefined: all operations are mocked. */
  readonly handlers?: string | undefined;
}

/** The means to say things. */
interface Output {
  /** Says what is served. */
  readonly tell: (line: string) => void;
  /** Says what is wrong. */
  readonly warn: (line: string) => void;
}

/** The application that serves now. */
export interface CurrentApp {
  readonly app: ServedApp;
  /** The places of the files that it is made of. */
  places(): WatchedPlaces;
  /** Reads the documents and handlers again whose files have changed. Requests under way end as they began. */
  update(changed: readonly string[]): Promise<void>;
  /** Says what is new, and compiles it between requests, until the signal. */
  announce(signal: AbortSignal): void;
}

/** Lists the sentences about handlers that cannot be made, and those for no operation. */
const handlerLines = ({ served }: ServedApp): string[] => {
  const operations = served.flatMap(({ document }) => document.operations);
  const known = new Set(operations.map(({ operationId }) => operationId));
  const stray = served
    .flatMap(({ handlers }) => handlers)
    .filter(({ operationId }) => !known.has(operationId));
  return [
    ...served.flatMap(({ problems }) => problems),
    ...stray.map(({ operationId, file }) => `${file}: no document has an operation ${operationId}`),
  ];
};

const servedLine = (
  { document, mocked }: ServedDocument,
  { docs, origin }: CurrentSettings,
): string => {
  const { file, basePath, operations } = document;
  const url = origin() + basePath;
  const mocks = mocked.size > 0 ? `, ${mocked.size} of them mocked` : '';
  const page = docs ? `, documentation at ${url}/docs/` : '';
  const count = operations.length === 1 ? '1 operation' : `${operations.length} operations`;
  return printable(`${file}: ${url} (${count}${mocks})${page}`);
};

/**
 * Reads the documents and handlers for the first time.
 * @throws Error in one sentence, if no document can be served, or there is no such folder of handlers
 */
export const currentApp = async (
  settings: CurrentSettings,
  { tell, warn }: Output,
): Promise<CurrentApp> => {
  const { handlers, sources } = settings;
  const load = handlers === undefined ? undefined : moduleLoader(handlers);
  let loaded: LoadedFolder = { modules: [], problems: [] };
  /** The documents that have handlers of their own, in the folder of that name; undefined before any are loaded. */
  let subfolders: readonly string[] | undefined;
  let app: ServedApp = { served: [], listener: () => undefined };
  let saidBefore: readonly string[] = [];
  let announced: readonly ServedDocument[] = [];

  const update = async (changed: readonly string[]): Promise<void> => {
    const before = app.served.map(({ document }) => document);
    const { documents, lines } = await readDocuments(settings, before, changed.map(uriOf));
    lines.forEach(warn);
    const isOfHandlers = (file: string) => handlers && file.startsWith(resolve(handlers) + sep);
    const areHandled = changed.some(isOfHandlers);
    const names = documents.map(({ name }) => name);
    const folders = names.filter((name) => isFolder(join(handlers ?? '', name)));
    const areNew = folders.some((name) => !subfolders?.includes(name));
    if (load !== undefined && (areHandled || areNew || subfolders === undefined)) {
      loaded = await load(folders);
      subfolders = folders;
    }
    const modulesOf = ({ name }: ApiDocument) =>
      loaded.modules.filter(({ file }) =>
        ['', name].includes(relative(handlers ?? '', dirname(file))),
      );
    app = await servedApp(documents, modulesOf, settings, areHandled ? [] : app.served);
    const said = [...new Set([...loaded.problems, ...handlerLines(app)])];
    // Those that were said before are said again where handlers were saved.
    said.filter((line) => areHandled || !saidBefore.includes(line)).forEach(warn);
    saidBefore = said;
  };
  await update([]);
  if (app.served.length === 0) throw new Error('There is no OpenAPI document to serve.');

  const prepare = async ({ document, router }: ServedDocument, signal: AbortSignal) => {
    const problems: Diagnostic[] = [];
    await router.precompile(signal, (problem) => problems.push(problem));
    problemLines(document.file, problems).forEach(warn);
  };

  return {
    get app() {
      return app;
    },
    update,
    announce(signal) {
      for (const one of app.served.filter((served) => !announced.includes(served))) {
        tell(servedLine(one, settings));
        prepare(one, signal).catch((error: unknown) => warn(errorMessage(error)));
      }
      for (const { document } of announced) {
        if (app.served.some((one) => one.document.file === document.file)) continue;
        tell(`${document.file}: no longer served`);
      }
      announced = app.served;
    },
    places() {
      const local = sources.filter((source) => !isRemote(source)).map((source) => resolve(source));
      const referred = app.served.flatMap(({ document }) => [...document.files]);
      return {
        folders: [...local.filter(isFolder), ...(handlers === undefined ? [] : [handlers])],
        files: [
          ...local.filter((source) => !isFolder(source)),
          ...referred.filter((uri) => !isRemote(uri)).map((uri) => fileURLToPath(uri)),
        ],
      };
    },
  };
};
