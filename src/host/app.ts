/** Prepares an application: reads the documents and the modules of handlers, opens what they keep, and makes the handlers. */

import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '../base/error-message';
import { memoize } from '../base/memoize';
import type { Diagnostic } from '../document/diagnostics/diagnostic';
import { isRemote } from '../document/source/source-files';
import type { ApiDocument } from '../engine';
import type { Operation } from '../model/operation';
import type { DocumentOptions } from './document-places';
import {
  type DocumentState,
  isFolder,
  loadDocuments,
  type Reading,
  servedDocuments,
} from './documents';
import { type LoadHandlers, noModules, readFolder } from './handler-modules';
import {
  type HandlerFinding,
  handlerFaults,
  reportHandlers,
  requireFittingHandlers,
} from './handler-report';
import { handlerLoader } from './module-loader';
import {
  type HandledService,
  type HandlerSurroundings,
  makeHandlers,
  type PreparedService,
  prepareService,
  type ServiceSettings,
} from './prepared-service';
import type { WatchedPlaces } from './watched-files';

/** Makes a version: the beginning of a SHA-256, in hexadecimal digits. */
const versionOf = (value: unknown): string => hash('sha256', JSON.stringify(value)).slice(0, 12);

/** Gives the version of one document: the same for the same text at the same address. */
export const documentVersion = memoize(({ name, basePath, text }: ApiDocument): string =>
  versionOf([name, basePath, hash('sha256', text)]),
);

/** Lists the files below a folder of handlers that Node.js may load, each with its hash; none where the folder is missing. */
const handlerFiles = async (folder: string): Promise<readonly string[]> => {
  const paths = (await readFolder(folder, true))
    .filter((entry) => entry.isFile() && /(?<!\.d)\.(ts|[cm]?js|json)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  return Promise.all(
    paths.map(async (path) => `${relative(folder, path)} ${hash('sha256', await readFile(path))}`),
  );
};

/** The versions of handlers by their documents' names, as they were when they were first asked for. */
export type HandlerVersions = Map<string, string>;

/**
 * Gives the version of documents and handlers: the same for the same documents at the same address, with the same handlers.
 *
 * @param loaded - versions of handlers that are loaded already, whatever their files are now; further ones are added
 */
export const servedVersion = async (
  documents: readonly ApiDocument[],
  handlersDirectory: string | undefined,
  loaded: HandlerVersions = new Map(),
): Promise<string> => {
  const handlersVersion = async (name: string): Promise<string> => {
    const files = handlersDirectory && handlerFiles(join(handlersDirectory, name));
    const version = loaded.get(name) ?? versionOf(files ? await files : []);
    loaded.set(name, version);
    return version;
  };
  const versions = documents.map(async (document) => [
    documentVersion(document),
    await handlersVersion(document.name),
  ]);
  return versionOf(await Promise.all(versions));
};

/** An application: what is served of each file, by which handlers. */
export interface App<Service extends HandledService = HandledService> {
  /** The version of the documents and handlers; see servedVersion. */
  readonly version: string;
  readonly states: readonly DocumentState[];
  readonly services: readonly Service[];
  readonly handlerFindings: readonly HandlerFinding[];
}

/** The settings by which applications are prepared. */
export interface AppSettings extends DocumentOptions, ServiceSettings, HandlerSurroundings {
  readonly sources: readonly string[];
  /** The folder of all handlers; undefined where there are none. */
  readonly handlersDirectory?: string | undefined;
  readonly strictHandlers?: boolean;
  /** Loads the handlers of a document; where this is not given, their modules are loaded once and kept. */
  readonly loadHandlers?: LoadHandlers | undefined;
  /** The versions of the handlers' files, by document, as they were when they were loaded. */
  readonly handlerVersions?: HandlerVersions;
}

const withUnfit = (
  refusals: Reading['refusals'],
  { services, handlerFindings }: App,
): ReadonlyMap<string, readonly Diagnostic[]> => {
  const all = new Map(refusals);
  for (const { document } of services) {
    const errors = handlerFindings
      .filter((finding) => finding.isError && finding.document === document.name)
      .map(({ message }) =>
        document.locate({ severity: 'error', rule: 'unserved-operation', pointer: '', message }),
      );
    if (errors.length > 0) all.set(document.file, errors);
  }
  return all;
};

const withoutModules = noModules('');

/** An application before its handlers are made, and before anything is opened that they keep. */
interface ReadApp<Service extends HandledService = HandledService>
  extends Pick<App, 'version' | 'states'> {
  /** Services of the application before among them, of which nothing was loaded again. */
  readonly services: readonly (PreparedService | Service)[];
  readonly refusals: Reading['refusals'];
  /** The operations of all documents, where these share modules, which may handle any; else undefined. */
  readonly shared: readonly Operation[] | undefined;
}

/**
 * Reads documents and modules of handlers.
 *
 * @param before - the application that it is to replace: services stay of which neither the document nor the modules were loaded again
 * @throws RefusedDocuments
 */
export const readApp = async <Service extends HandledService>(
  settings: AppSettings,
  before?: App<Service>,
  reading: Pick<Reading, 'changed' | 'refusals'> = {},
): Promise<ReadApp<Service>> => {
  const { sources, handlersDirectory: folder, loadHandlers } = settings;
  const served = before?.states ?? [];
  const states = await loadDocuments(sources, settings, { ...reading, served });
  const documents = servedDocuments(states);
  // Handlers that are loaded stay as they are, unless a loader of its own loads them again.
  const loaded = loadHandlers === undefined ? settings.handlerVersions : undefined;
  const version = await servedVersion(documents, folder, loaded);
  const load = loadHandlers ?? (folder === undefined ? undefined : handlerLoader(folder).load);
  const shared = settings.lenient ? documents.flatMap(({ operations }) => operations) : undefined;
  const services = await Promise.all(
    documents.map(async (document) => {
      const { name } = document;
      const modules =
        (await load?.(name).catch((error: unknown) =>
          noModules(join(folder ?? '', name), errorMessage(error)),
        )) ?? withoutModules;
      const isSame = (service: Service) =>
        service.document === document && service.modules === modules;
      return before?.services.find(isSame) ?? prepareService(document, modules, settings, shared);
    }),
  );
  return { version, states, services, refusals: reading.refusals, shared };
};

/** Ends the handlers of services that serve no more, the last one first. */
export const endAll = async (services: readonly Pick<HandledService, 'end'>[]): Promise<void> => {
  for (const { end } of services.toReversed()) await end();
};

/**
 * Makes the handlers of an application, and finds what does not fit.
 *
 * @param openData - opens what the handlers of a service keep
 * @param before - the application that it is to replace: where new documents do not fit their handlers and have to, those of this one stay
 * @throws RefusedDocuments; Error where handlers do not fit and have to
 */
export const handleApp = async <
  Data extends HandledService['data'],
  Service extends HandledService<Data> = HandledService<Data>,
>(
  settings: AppSettings,
  read: ReadApp<Service>,
  openData: (service: PreparedService) => Promise<Data>,
  before?: App<Service>,
): Promise<App<HandledService<Data> | Service>> => {
  const { handlersDirectory: folder, strictHandlers, lenient } = settings;
  const { version, states, refusals: refused, shared } = read;
  const made: HandledService<Data>[] = [];
  try {
    const services = await Promise.all(
      read.services.map(async (service) => {
        if ('data' in service) return service;
        const handled = await makeHandlers(service, await openData(service), settings, shared);
        made.push(handled);
        return handled;
      }),
    );
    const handlerFindings =
      lenient || folder === undefined
        ? handlerFaults(services)
        : await reportHandlers(folder, services);
    const app = { version, states, services, handlerFindings };
    if (!strictHandlers) return app;
    const refusals = withUnfit(refused, app);
    if (before === undefined || refusals.size === (refused?.size ?? 0)) {
      requireFittingHandlers(handlerFindings);
      return app;
    }
    await endAll(made);
    const again = await readApp(settings, before, { refusals });
    return await handleApp(settings, again, openData, before);
  } catch (error) {
    // Nothing of an application that does not serve stays open.
    await endAll(made);
    throw error;
  }
};

/** Lists the places of the files that an application is made of. */
export const placesOf = (
  settings: Pick<AppSettings, 'sources' | 'handlersDirectory' | 'overlays'>,
  { services }: Pick<App, 'services'>,
): WatchedPlaces => {
  const { sources, handlersDirectory, overlays = [] } = settings;
  const local = sources.filter((source) => !isRemote(source)).map((source) => resolve(source));
  const referred = services.flatMap(({ document }) => [...document.files]);
  return {
    folders: [...local.filter(isFolder), ...(handlersDirectory ? [handlersDirectory] : [])],
    files: [
      ...local.filter((source) => !isFolder(source)),
      ...overlays.filter((overlay) => !isRemote(overlay)).map((overlay) => resolve(overlay)),
      ...referred.filter((uri) => !isRemote(uri)).map((uri) => fileURLToPath(uri)),
    ],
  };
};
