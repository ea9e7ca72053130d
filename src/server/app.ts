/** Wires everything: documents, storage, identity and handlers become one listener, with Express for what no service has. */

import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import {
  type ApiDocument,
  asHttpError,
  type Diagnostic,
  defaultErrors,
  HttpError,
  type Operation,
  originForm,
  type Routes,
  routeTable,
  securitySchemesOf,
  send,
  splitTarget,
} from '../engine';
import { demoInForce } from './demo-data';
import { errorPage } from './docs/page/error-page';
import { overTls } from './http/http-server';
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
import { operatorRoutes } from './routes/operator-routes';
import { loadDocuments, versionOf } from './services/documents';
import {
  type HandlerFinding,
  reportHandlers,
  requireFittingHandlers,
} from './services/handler-report';
import { requireNoNewErrors } from './services/new-errors';

/** The application and what it serves. */
export interface App {
  /** Serves every request. */
  readonly listener: ObservedListener;
  /** Of the documents; see versionOf. */
  readonly version: string;
  readonly documents: readonly ApiDocument[];
  /** Names of headers, in lower case, that carry credentials. */
  readonly credentialHeaders: readonly string[];
  /** What is wrong with the documents, also with those that are not served. */
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
    if (failure.status >= 500) log.error({ err: error }, failure.message);
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
  issued: config.issuer && (await jwtVerifier({ ...config.issuer, clock, log })),
});

/**
 * Builds the application; it does not listen yet.
 *
 * @param lasting - of the process, for all of its applications
 * @param known - the problems of the application that serves meanwhile, and whose place this one is to take; not the application
 *   itself, which each of its successors would keep in memory
 * @throws RefusedDocuments; Error where handlers cannot be loaded, or do not fit and have to
 */
export const buildApp = async (
  parts: AppParts,
  lasting?: LastingParts,
  known?: readonly Diagnostic[],
): Promise<App> => {
  const { config, db, log, origin } = parts;
  const { documents, problems } = await loadDocuments(config.specsDirectory, {
    authUrlOf: (basePath) => config.authUrl ?? origin + basePath,
    allowRemote: config.allowRemoteReferences,
    referencesFolder: config.referencesDirectory,
    strict: config.strictDocuments,
    basePaths: config.basePaths,
  });
  const isBeside = known !== undefined;
  if (isBeside) requireNoNewErrors(known, problems);
  const kept = lasting ?? (await lastingParts(parts));
  const { metrics } = kept;
  const services = await Promise.all(
    documents.map((document) => mountedService(document, parts, kept, isBeside)),
  );
  const handlerFindings = await reportHandlers(
    config.handlersDirectory,
    services.map(({ handled }) => handled),
  );
  if (config.strictHandlers) requireFittingHandlers(handlerFindings);
  const isMocked = (operation: Operation): boolean =>
    services.some(({ mocked }) => mocked.has(operation));
  const { operatorPath } = config;
  const atRoot = services.find(({ basePath }) => basePath === '');
  const app = newExpress(config);
  app.use(oauthMetadataRoutes(services));
  app.use(
    operatorPath || '/',
    operatorRoutes({
      ...{ documents, isMocked, db, metrics, basePath: operatorPath },
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
  const listener = accessLog(log, metrics, isMocked, (request, response) => {
    if (isSecure(request)) response.setHeader('Strict-Transport-Security', strictTransport);
    mounted(request, response, () => atRootFirst(request, response, () => app(request, response)));
  });
  const all = [...problems, ...services.flatMap((service) => service.problems)];
  const version = versionOf(documents);
  // Last, since the application that serves until then still declares them.
  for (const { storage } of services) await storage.retireIndexes();
  const credentialHeaders = credentialHeadersOf(documents);
  return {
    listener,
    version,
    documents,
    credentialHeaders,
    problems: all,
    services,
    handlerFindings,
  };
};
