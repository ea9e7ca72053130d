/** Wires everything: documents, storage, identity and handlers become one listener, with Express for what no service has. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Express, Request, Response } from 'express';
import type { Logger } from 'pino';
import {
  type ApiDocument,
  asHttpError,
  type Diagnostic,
  defaultErrors,
  HttpError,
  noteFailure,
  type Operation,
  requestIdOf,
  send,
} from '../engine';
import { demoInForce } from './demo-data';
import { errorPage } from './docs/error-page';
import { clientBehind, strictTransport } from './http/client-of';
import { headCheck } from './http/head-check';
import { type Layer, layered } from './http/layer';
import type { OnRefused } from './http/refuse-connection';
import { requestQueue } from './http/request-queue';
import { jwtVerifier } from './identity/jwt/jwt-verifier';
import { scryptPasswords } from './identity/password';
import {
  type AppParts,
  type LastingParts,
  type MountedService,
  mountedService,
  newExpress,
} from './mounted-service';
import { type AccessLog, accessLog } from './observability/access-log';
import { httpMetrics } from './observability/metrics';
import { allowOrigins } from './routes/allow-origins';
import { mounts, rootOperations } from './routes/mounts';
import { oauthMetadataRoutes } from './routes/oauth-routes';
import { operatorRoutes, watchPaths } from './routes/operator-routes';
import {
  type DocumentState,
  loadDocuments,
  problemsOf,
  type Refusals,
  servedDocuments,
} from './services/documents';
import {
  type HandlerFinding,
  reportHandlers,
  requireFittingHandlers,
} from './services/handler-report';
import { stateFault } from './services/reload-result';
import { servedVersion } from './services/served-version';

/** The application and what it serves. */
export interface App {
  /** Makes what serves every request; requests that still wait in the queue go there, too. */
  connect(): RequestListener;
  /** See AccessLog. */
  readonly idle: AccessLog['idle'];
  /** Of the documents and handlers; see servedVersion. */
  readonly version: string;
  /** What is served of each file of the specs directory. */
  readonly states: readonly DocumentState[];
  readonly documents: readonly ApiDocument[];
  /** What is wrong with the documents, also with those that are not served, or not as their files say. */
  readonly problems: readonly Diagnostic[];
  readonly services: readonly MountedService[];
  /** What does not fit between operations and handlers. */
  readonly handlerFindings: readonly HandlerFinding[];
}

/** Sends what failed outside of any service. */
const failureResponder = (log: Logger, operatorPath: string) => {
  const write = defaultErrors();
  const pageFor = errorPage('Services', { address: `${operatorPath}/`, text: 'All services' });
  return (error: unknown, request: IncomingMessage, response: ServerResponse): void => {
    const failure = asHttpError(error);
    noteFailure(response, failure);
    const requestId = requestIdOf(response);
    if (failure.status >= 500) log.error({ err: error, requestId }, failure.message);
    void send(request, response, write(failure, request.headers.accept, pageFor(request)));
  };
};

/** Makes the layer of an Express application. */
const serverPages =
  (pages: Express, fail: ReturnType<typeof failureResponder>): Layer =>
  (next) =>
  (request, response) =>
    pages(request as Request, response as Response, (error?: unknown) => {
      if (error === undefined) next(request, response);
      else fail(error, request, response);
    });

/** Makes the parts of a server that last as long as the process. */
export const lastingParts = async (
  { config, clock, log, metrics: options }: Pick<AppParts, 'config' | 'clock' | 'log' | 'metrics'>,
  queueClock?: () => number,
): Promise<LastingParts> => {
  const metrics = httpMetrics(options);
  const onRefused: OnRefused = (refused) => {
    log.info(refused, 'Request refused');
    metrics.countRefused(refused.status);
  };
  return {
    metrics,
    onRefused,
    headCheck: headCheck(config.knownHosts, onRefused),
    requestQueue: requestQueue({
      probePaths: watchPaths(config.operatorPath),
      onShed: metrics.countShed,
      clock: queueClock,
    }),
    hashing: scryptPasswords(config.passwordCost),
    handlerVersions: new Map(),
    issued: config.issuer && (await jwtVerifier({ ...config.issuer, clock, log })),
  };
};

/** Reads the documents and decides what is served of each; see loadDocuments. */
export const readDocuments = (
  { config, origin }: Pick<AppParts, 'config' | 'origin'>,
  served?: readonly DocumentState[],
  refusals?: Refusals,
): Promise<readonly DocumentState[]> => {
  const options = {
    authUrlOf: (basePath: string) => config.authUrl ?? origin + basePath,
    allowRemote: config.allowRemoteReferences,
    referencesFolder: config.referencesDirectory,
    strict: config.strictDocuments,
    requireAll: config.production,
    basePaths: config.basePaths,
    operatorPages: [`${config.operatorPath}/`, ...watchPaths(config.operatorPath)],
  };
  return loadDocuments(config.specsDirectory, options, served, refusals);
};

/** The version of what is served; handlers that are loaded stay as they are, unless a loader of its own loads them again. */
export const versionOfAll = (
  { config, loadHandlers }: Pick<AppParts, 'config' | 'loadHandlers'>,
  { handlerVersions }: Pick<LastingParts, 'handlerVersions'>,
  states: readonly DocumentState[],
): Promise<string> =>
  servedVersion(
    servedDocuments(states),
    config.handlersDirectory,
    loadHandlers === undefined ? handlerVersions : new Map(),
  );

/** The reasons why handlers keep documents from being served, by their files. */
const unfitServices = async (
  { handlersDirectory }: AppParts['config'],
  services: readonly MountedService[],
): Promise<Refusals> => {
  const refusals = new Map<string, readonly Diagnostic[]>();
  for (const { handled } of services) {
    const { document } = handled;
    const errors = (await reportHandlers(handlersDirectory, [handled])).filter(
      ({ isError }) => isError,
    );
    const refused = errors.map(({ message }) =>
      document.locate({ severity: 'error', rule: 'unserved-operation', pointer: '', message }),
    );
    if (refused.length > 0) refusals.set(document.file, refused);
  }
  return refusals;
};

/**
 * Builds the application; it does not listen yet.
 *
 * @param lasting - of the process, for all of its applications
 * @param before - what the application serves of the documents whose place this one is to take; not the application itself, which
 *   each of its successors would keep in memory
 * @param refusals - documents that are not to be taken up in its place
 * @throws RefusedDocuments; Error where handlers cannot be loaded, or at the start do not fit and have to
 */
export const buildApp = async (
  parts: AppParts,
  lasting: LastingParts,
  states: readonly DocumentState[],
  before?: readonly DocumentState[],
  refusals: Refusals = new Map(),
): Promise<App> => {
  const { config, db, log } = parts;
  const { metrics } = lasting;
  const documents = servedDocuments(states);
  const version = await versionOfAll(parts, lasting, states);
  const services = await Promise.all(
    documents.map((document) => mountedService(document, parts, lasting, before !== undefined)),
  );
  const handlerFindings = await reportHandlers(
    config.handlersDirectory,
    services.map(({ handled }) => handled),
  );
  if (config.strictHandlers) {
    const unfit = await unfitServices(config, services);
    const isNew = [...unfit.keys()].some((file) => !refusals.has(file));
    if (before !== undefined && isNew) {
      const all = new Map([...refusals, ...unfit]);
      return buildApp(parts, lasting, await readDocuments(parts, before, all), before, all);
    }
    requireFittingHandlers(handlerFindings);
  }
  const isMocked = (operation: Operation): boolean =>
    services.some(({ mocked }) => mocked.has(operation));
  const { operatorPath, trustedProxies } = config;
  const pages = newExpress(config);
  pages.use(oauthMetadataRoutes(services));
  pages.use(
    operatorPath || '/',
    operatorRoutes({
      documents,
      isMocked,
      db,
      metrics,
      basePath: operatorPath,
      isReady: parts.isReady,
      states: states.map(({ name, state }) => ({ name, state, fault: stateFault(state) })),
      metricsToken: config.metricsToken,
      findDemo: () => demoInForce(services, db),
    }),
  );
  const fail = failureResponder(log, operatorPath);
  const access = accessLog(log, metrics, isMocked, clientBehind(trustedProxies));
  const mounted = services.map(({ basePath, handled: { document }, service }) => ({
    document,
    basePath,
    service: layered([allowOrigins(document, config.corsOrigins)], service),
  }));
  const atRoot = mounted.filter(({ basePath }) => basePath === '');
  const elsewhere = mounted.filter(({ basePath }) => basePath !== '');
  // The way of a request: each layer answers it, or hands it to the next one.
  const layers: readonly Layer[] = [
    // A malformed head, another host: 400, 417, 421, 501.
    lasting.headCheck,
    // Requests that arrive together, in turn; 503 where they have waited for too long.
    lasting.requestQueue,
    // A line and a measurement for each.
    access.layer,
    strictTransport(trustedProxies),
    // The service below whose base path it lies: first CORS (above), then its operations, its documentation, files and sign-in.
    mounts(elsewhere),
    // A document at the root goes before the pages of the server with its operations, and behind them with all else.
    ...atRoot.map(rootOperations),
    serverPages(pages, fail),
    mounts(atRoot),
  ];
  const notFound: RequestListener = (request, response) =>
    fail(new HttpError(404, 'route-not-found', 'Not found'), request, response);
  const problems = [...problemsOf(states), ...services.flatMap((service) => service.problems)];
  // Last, since the application that serves until then still declares them.
  for (const { storage } of services) await storage.retireIndexes();
  return {
    connect: () => layered(layers, notFound),
    idle: access.idle,
    version,
    states,
    documents,
    problems,
    services,
    handlerFindings,
  };
};
