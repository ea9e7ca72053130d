/** Prepares an application before a database is opened: reads the documents, and makes the handlers. */

import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '../base/error-message';
import type { Diagnostic } from '../document/diagnostics/diagnostic';
import { isRemote } from '../document/source/source-files';
import { targetBelow } from '../http/request';
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
import { type PreparedService, prepareService, type ServiceSettings } from './prepared-service';
import { type HandlerVersions, servedVersion } from './served-version';
import type { WatchedPlaces } from './watched-files';

/** An application: what is served of each file, by which handlers. */
export interface App<Service extends PreparedService = PreparedService> {
  /** The version of the documents and handlers; see servedVersion. */
  readonly version: string;
  readonly states: readonly DocumentState[];
  readonly services: readonly Service[];
  readonly handlerFindings: readonly HandlerFinding[];
}

/** The settings by which applications are prepared. */
export interface AppSettings extends DocumentOptions, ServiceSettings {
  /** Files, folders and URLs of documents. */
  readonly sources: readonly string[];
  /** The folder of all handlers; undefined where there are none. */
  readonly handlersDirectory?: string | undefined;
  /** Refuses documents whose handlers do not fit. */
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

/**
 * Prepares an application.
 *
 * @param before - the application that it is to replace: where new documents do not fit their handlers and have to, those of this one stay;
 *   so do services of which neither the document nor the modules were loaded again
 * @throws RefusedDocuments; Error where handlers do not fit and have to
 */
export const prepareApp = async <Service extends PreparedService>(
  settings: AppSettings,
  before?: App<Service>,
  reading: Pick<Reading, 'changed' | 'refusals'> = {},
): Promise<App<PreparedService | Service>> => {
  const { sources, handlersDirectory: folder, strictHandlers, lenient, loadHandlers } = settings;
  const served = before?.states ?? [];
  const states = await loadDocuments(sources, settings, { ...reading, served });
  const documents = servedDocuments(states);
  // Handlers that are loaded stay as they are, unless a loader of its own loads them again.
  const loaded = loadHandlers === undefined ? settings.handlerVersions : undefined;
  const version = await servedVersion(documents, folder, loaded);
  const load = loadHandlers ?? (folder === undefined ? undefined : handlerLoader(folder).load);
  // Modules that documents share may handle operations of each.
  const shared = lenient ? documents.flatMap(({ operations }) => operations) : undefined;
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
  const handlerFindings =
    lenient || folder === undefined
      ? handlerFaults(services)
      : await reportHandlers(folder, services);
  const prepared = { version, states, services, handlerFindings };
  if (!strictHandlers) return prepared;
  const refusals = withUnfit(reading.refusals, prepared);
  if (before !== undefined && refusals.size > (reading.refusals?.size ?? 0)) {
    return prepareApp(settings, before, { ...reading, refusals });
  }
  requireFittingHandlers(handlerFindings);
  return prepared;
};

/** Makes what finds the service below whose base path a target lies, and the rest of the target. */
export const findServices = <Service extends Pick<PreparedService, 'document'>>(
  services: readonly Service[],
) => {
  // One base path may lie below another.
  const longestFirst = services.toSorted(
    (one, other) => other.document.basePath.length - one.document.basePath.length,
  );
  return (url: string) => {
    for (const service of longestFirst) {
      const target = targetBelow(service.document.basePath, url);
      if (target !== undefined) return { service, target };
    }
    return undefined;
  };
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
