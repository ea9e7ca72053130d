/** Wires everything: documents, storage, identity and handlers become one listener, with Express for what no service has. */

import type { RequestListener } from 'node:http';
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
  send,
  splitTarget,
} from '../engine';
import { demoInForce } from './demo-data';
import { errorPage } from './docs/page/error-page';
import { jwtVerifier } from './identity/jwt/jwt-verifier';
import { scryptPasswords } from './identity/password';
import { type AppParts, type MountedService, mountedService, newExpress } from './mounted-service';
import { accessLog } from './observability/access-log';
import { httpMetrics } from './observability/metrics';
import { mounts } from './routes/mounts';
import { oauthMetadataRoutes } from './routes/oauth-routes';
import { operatorRoutes } from './routes/operator-routes';
import { loadDocuments } from './services/documents';
import {
  type HandlerFinding,
  reportHandlers,
  requireFittingHandlers,
} from './services/handler-report';
import { countMisfitsIfPossible } from './services/misfit-report';

/** The application and what it serves. */
export interface App {
  /** Serves every request. */
  readonly listener: RequestListener;
  readonly documents: readonly ApiDocument[];
  /** What is wrong with the documents, also with those that are not served. */
  readonly problems: readonly Diagnostic[];
  readonly services: readonly MountedService[];
  /** What does not fit between operations and handlers. */
  readonly handlerFindings: readonly HandlerFinding[];
}

const notFound: RequestHandler = () => {
  throw new HttpError(404, 'route-not-found', 'There is nothing at this path');
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

/** Builds the application; it does not listen yet. */
export const buildApp = async (parts: AppParts): Promise<App> => {
  const { config, db, log, origin, clock } = parts;
  const { documents, problems } = await loadDocuments(config.specsDirectory, {
    authUrlOf: (basePath) => config.authUrl ?? origin + basePath,
    allowRemote: config.allowRemoteReferences,
    referencesFolder: config.referencesDirectory,
    strict: config.strictDocuments,
    basePaths: config.basePaths,
  });
  const hashing = scryptPasswords(config.passwordCost);
  const issued = config.issuer && (await jwtVerifier({ ...config.issuer, clock, log }));
  const metrics = httpMetrics(parts.metrics);
  const services = await Promise.all(
    documents.map((document) => mountedService(document, parts, hashing, issued)),
  );
  metrics.watchMisfits(() => countMisfitsIfPossible(services));
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
    operatorRoutes(documents, isMocked, db, metrics, operatorPath, () => demoInForce(services, db)),
  );
  if (atRoot !== undefined) app.use(mounts([atRoot]));
  app.use(notFound);
  app.use(refuse(log, operatorPath));
  // What a document declares at the root goes before what we have there.
  const atRootFirst: Routes = atRoot === undefined ? skip : operationsOf(atRoot);
  const mounted = mounts(services.filter((service) => service !== atRoot));
  const listener = accessLog(log, metrics, isMocked, (request, response) =>
    mounted(request, response, () => atRootFirst(request, response, () => app(request, response))),
  );
  const all = [...problems, ...services.flatMap((service) => service.problems)];
  return { listener, documents, problems: all, services, handlerFindings };
};
