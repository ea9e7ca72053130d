/** Wires everything: documents, storage, identity and handlers become one listener, with Express for what no service has. */

import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import {
  type ApiDocument,
  asHttpError,
  type Diagnostic,
  defaultErrors,
  HttpError,
  noteFailure,
  type Operation,
  originForm,
  type Routes,
  requestIdOf,
  routeTable,
  securitySchemesOf,
  send,
  splitTarget,
} from '../engine';
import { demoInForce } from './demo-data';
import { errorPage } from './docs/error-page';
import { clientBehind, overTls } from './http/http-server';
import { jwtVerifier } from './identity/jwt/jwt-verifier';
import { scryptPasswords } from './identity/password';
import {
  type AppParts,
  type LastingParts,
  type MountedService,
  mountedService,
  newExpress,
} from './mounted-service';
import { accessLog, type ObservedListener } from './observability/access-log';
import { httpMetrics } from './observability/metrics';
import { mounts } from './routes/mounts';
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
  /** Serves every request. */
  readonly listener: ObservedListener;
  /** Of the documents and handlers; see servedVersion. */
  readonly version: string;
  /** What is served of each file of the specs directory. */
  readonly states: readonly DocumentState[];
  readonly documents: readonly ApiDocument[];
  /** Names of headers, in lower case, that carry credentials. */
  readonly credentialHeaders: readonly string[];
  /** What is wrong with the documents, also with those that are not served, or not as their files say. */
  readonly problems: readonly Diagnostic[];
  readonly services: readonly MountedService[];
  /** What does not fit between operations and handlers. */
  readonly handlerFindings: readonly HandlerFinding[];
}

const notFound: RequestHandler = () => {
  throw new HttpError(404, 'route-not-found', 'There is nothing at this path');
};

/** Browsers that have come over TLS come back over TLS alone, for a year (RFC 6797). */
const strictTransport = 'max-age=31536000';

/** The header of HTTP itself, cookies, and those of API keys. */
const credentialHeadersOf = (documents: readonly ApiDocument[]): string[] => {
  const keys = documents.flatMap((document) =>
    [...securitySchemesOf(document).values()].flatMap((scheme) =>
      scheme.type === 'apiKey' && scheme.in === 'header' ? [scheme.name.toLowerCase()] : [],
    ),
  );
  return [...new Set(['authorization', 'cookie', ...keys])];
};

const skip: Routes = (_request, _response, next) => next();

/** The operations of a service alone, without its other routes. */
const operationsOf = ({ handled: { document }, service }: MountedService): Routes => {
  const find = routeTable(document.operations);
  return (request, response, next) => {
    const { path } = splitTarget(originForm(request.url ?? '/'));
    if (find(path) === undefined) next();
    else service(request, response);
  };
};

/** Responds to what failed outside of any service. */
const refuse = (log: Logger, operatorPath: string): ErrorRequestHandler => {
  const write = defaultErrors();
  const pageFor = errorPage('Services', { address: `${operatorPath}/`, text: 'All services' });
  return (error, request, response, _next) => {
    const failure = asHttpError(error);
    noteFailure(response, failure);
    const requestId = requestIdOf(response);
    if (failure.status >= 500) log.error({ err: error, requestId }, failure.message);
    send(request, response, write(failure, request.headers.accept, pageFor(request)));
  };
};

/** Makes what lasts as long as the process. */
export const lastingParts = async ({
  config,
  clock,
  log,
  metrics,
}: Pick<AppParts, 'config' | 'clock' | 'log' | 'metrics'>): Promise<LastingParts> => ({
  metrics: httpMetrics(metrics),
  hashing: scryptPasswords(config.passwordCost),
  handlerVersions: new Map(),
  issued: config.issuer && (await jwtVerifier({ ...config.issuer, clock, log })),
});

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
  const { operatorPath } = config;
  const atRoot = services.find(({ basePath }) => basePath === '');
  const app = newExpress(config);
  app.use(oauthMetadataRoutes(services));
  app.use(
    operatorPath || '/',
    operatorRoutes({
      ...{ documents, isMocked, db, metrics, basePath: operatorPath, isReady: parts.isReady },
      states: states.map(({ name, state }) => ({ name, state, fault: stateFault(state) })),
      metricsToken: config.metricsToken,
      findDemo: () => demoInForce(services, db),
    }),
  );
  if (atRoot !== undefined) app.use(mounts([atRoot]));
  app.use(notFound);
  app.use(refuse(log, operatorPath));
  // What a document declares at the root goes before what we have there.
  const atRootFirst: Routes = atRoot === undefined ? skip : operationsOf(atRoot);
  const mounted = mounts(services.filter((service) => service !== atRoot));
  const isSecure = overTls(config.trustedProxies);
  const clientOf = clientBehind(config.trustedProxies);
  const listener = accessLog(log, metrics, isMocked, clientOf, (request, response) => {
    if (isSecure(request)) response.setHeader('Strict-Transport-Security', strictTransport);
    mounted(request, response, () => atRootFirst(request, response, () => app(request, response)));
  });
  const problems = [...problemsOf(states), ...services.flatMap((service) => service.problems)];
  const credentialHeaders = credentialHeadersOf(documents);
  return {
    listener,
    version,
    states,
    documents,
    credentialHeaders,
    problems,
    services,
    handlerFindings,
  };
};
