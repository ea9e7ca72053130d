/** Prepares an application: reads the documents and the modules of handlers, opens what they keep, and makes the handlers. */

import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '../base/error-message';
import type { Diagnostic } from '../document/diagnostics/diagnostic';
import { isRemote } from '../document/source/source-files';
import type { Operation } from '../model/operation';
import type { DocumentOptions } from './document-places';
import {
  type DocumentState,
  isFolder,
  loadDocuments,
  type Reading,
  servedDocuments,
} from './documents';
import { type LoadHandlers, noModules } from './handler-modules';
import {
  type HandlerFinding,
  handlerFaults,
  reportHandlers,
  requireFittingHandlers,
} from './handler-report';
import { handlerLoader } from './module-loader';
import {
  type HandledService,
  makeHandlers,
  type PreparedService,
  prepareService,
  type ServiceSettings,
} from './prepared-service';
import { type HandlerVersions, servedVersion } from './served-version';
import type { WatchedPlaces } from './watched-files';

/** An application: what is served of each file, by which handlers. */
export interface App<Service extends HandledService = HandledService> {
  /** The version of the documents and handlers; see servedVersion. */
  readonly version: string;
  readonly states: readonly DocumentState[];
  readonly services: readonly Service[];
  readonly handlerFindings: readonly HandlerFinding[];
}

/** The settings by which applications are prepared. */
export interface AppSettings extends DocumentOptions, ServiceSettings {
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
  const services = await Promise.all(
    read.services.map(async (service) =>
      'data' in service ? service : makeHandlers(service, await openData(service), shared),
    ),
  );
  const handlerFindings =
    lenient || folder === undefined
      ? handlerFaults(services)
      : await reportHandlers(folder, services);
  const app = { version, states, services, handlerFindings };
  if (!strictHandlers) return app;
  const refusals = withUnfit(refused, app);
  if (before !== undefined && refusals.size > (refused?.size ?? 0)) {
    return handleApp(settings, await readApp(settings, before, { refusals }), openData, before);
  }
  requireFittingHandlers(handlerFindings);
  return app;
};

/** Lists the places of the files that an application is made of. */
export const placesOf = (
  {
    sources,
    handlersDirectory,
    overlays = [],
  }: Pick<AppSettings, 'sources' | 'handlersDirectory' | 'overlays'>,
  { services }: Pick<App, 'services'>,
): WatchedPlaces => {
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
