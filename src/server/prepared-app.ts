/** Prepares an application before the database is opened: reads the documents, and makes the handlers. */

import type { Diagnostic } from '../document/diagnostics/diagnostic';
import {
  type DocumentState,
  loadDocuments,
  type Refusals,
  servedDocuments,
} from '../host/documents';
import {
  type HandlerFinding,
  reportHandlers,
  requireFittingHandlers,
} from '../host/handler-report';
import { type PreparedService, prepareService } from '../host/prepared-service';
import { servedVersion } from '../host/served-version';
import type { AppContext } from './app-context';
import { watchPaths } from './routes/operator-routes';

/** An application that lacks its database. */
export interface PreparedApp {
  /** The version of the documents and handlers; see servedVersion. */
  readonly version: string;
  /** The state of each file of the specs directory. */
  readonly states: readonly DocumentState[];
  readonly services: readonly PreparedService[];
  /** Findings about operations and handlers that do not fit. */
  readonly handlerFindings: readonly HandlerFinding[];
}

/** Refuses the documents whose handlers do not fit, beside those that are refused already. */
const withUnfit = (
  refusals: Refusals,
  { services, handlerFindings }: PreparedApp,
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

/**
 * Prepares an application.
 *
 * @param served - the documents of the application that it is to replace: where new ones do not fit their handlers and have to, these
 *   stay; undefined at the start
 * @param refusals - documents that are not to be taken up
 * @throws RefusedDocuments; Error where handlers do not fit and have to
 */
export const prepareApp = async (
  context: Omit<AppContext, 'db'>,
  served?: readonly DocumentState[],
  refusals: Refusals = new Map(),
): Promise<PreparedApp> => {
  const { config, origin, loadHandlers, handlerVersions } = context;
  const { specsDirectory, handlersDirectory, strictHandlers, operatorPath } = config;
  const options = {
    ...config,
    authUrlOf: (basePath: string) => config.authUrl ?? origin + basePath,
    operatorPages: [`${operatorPath}/`, ...watchPaths(operatorPath)],
  };
  const states = await loadDocuments(specsDirectory, options, served, refusals);
  const documents = servedDocuments(states);
  // Handlers that are loaded stay as they are, unless a loader of its own loads them again.
  const loaded = loadHandlers === undefined ? handlerVersions : new Map();
  const version = await servedVersion(documents, handlersDirectory, loaded);
  const services = await Promise.all(
    documents.map((document) => prepareService(document, config, () => origin, loadHandlers)),
  );
  const handlerFindings = await reportHandlers(handlersDirectory, services);
  const prepared = { version, states, services, handlerFindings };
  if (!strictHandlers) return prepared;
  const allRefusals = withUnfit(refusals, prepared);
  if (served !== undefined && allRefusals.size > refusals.size) {
    return prepareApp(context, served, allRefusals);
  }
  requireFittingHandlers(handlerFindings);
  return prepared;
};
