/** Wires everything: documents, storage, identity and handlers become one listener, with Express for what no service has. */

import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import {
  type ApiDocument,
  asHttpError,
  type Diagnostic,
  defaultErrors,
  HttpError,
  jsonCodec,
  type Operation,
  openApiService,
  type Routes,
  type SchemaContext,
  schemaContext,
  send,
} from '../engine';
import type { Config } from './config/config';
import { type DemoService, usableDemo } from './demo-data';
import { docsRoutes } from './docs/docs-routes';
import { type PackageFiles, packageFiles } from './docs/package-files';
import { clientBehind } from './http/client-of';
import { createIdentity } from './identity/create-identity';
import { jwtVerifier, type VerifyJwt } from './identity/jwt/jwt-verifier';
import { type Passwords, scryptPasswords } from './identity/password';
import type { AuthorizationServer } from './oauth/authorization-server';
import { accessLog } from './observability/access-log';
import { httpMetrics, type MetricsOptions } from './observability/metrics';
import { allowOrigins } from './routes/allow-origins';
import { fileRoutes } from './routes/file-routes';
import { type Mount, mounts } from './routes/mounts';
import { oauthMetadataRoutes, oauthRoutes } from './routes/oauth-routes';
import { operatorRoutes } from './routes/operator-routes';
import { builtInAuthorizationServer } from './services/built-in-authorization-server';
import { loadDocuments } from './services/documents';
import { exampleTexts } from './services/example-texts';
import { loadHandlerModules } from './services/handler-modules';
import {
  type HandledDocument,
  type HandlerFinding,
  mockedOperations,
  reportHandlers,
  requireFittingHandlers,
} from './services/handler-report';
import { itemSchemas } from './services/item-schemas';
import type { Database } from './storage/database/database';
import { openServiceStorage } from './storage/storage';

/** What an application is made of. */
export interface AppParts {
  readonly config: Config;
  readonly db: Database;
  readonly log: Logger;
  /** The origin under which callers reach the program. */
  readonly origin: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly metrics: MetricsOptions;
}

/** A service at its place, and its authorization server where it has one. */
interface MountedService extends Mount, DemoService {
  readonly authorization: AuthorizationServer | undefined;
  readonly handled: HandledDocument;
}

/** The application and what it serves. */
export interface App {
  /** Serves every request. */
  readonly listener: RequestListener;
  readonly documents: readonly ApiDocument[];
  /** What is wrong with the documents, also with those that are not served. */
  readonly problems: readonly Diagnostic[];
  readonly services: readonly DemoService[];
  /** What does not fit between operations and handlers. */
  readonly handlerFindings: readonly HandlerFinding[];
}

const notFound: RequestHandler = () => {
  throw new HttpError(404, 'route-not-found', 'There is nothing at this path');
};

/** Answers what failed outside of any service. */
const refuse = (log: Logger): ErrorRequestHandler => {
  const write = defaultErrors();
  return (error, request, response, _next) => {
    const failure = asHttpError(error);
    if (failure.status >= 500) log.error({ err: error }, failure.message);
    send(request, response, write(failure, request.headers.accept));
  };
};

const serviceOf = async (
  document: ApiDocument,
  tools: SchemaContext,
  { config, db, log, origin, clock }: AppParts,
  hashing: Passwords,
  docsFiles: PackageFiles,
  issued: VerifyJwt | undefined,
): Promise<MountedService> => {
  const { tokenTtlSeconds, rateLimitPerHour } = config;
  // The resource that a token is for, unless the issuer calls it otherwise (RFC 8707 section 2).
  const audience = config.issuer?.audience ?? origin + document.basePath;
  const { identity, securityHandlers, checkPassword } = createIdentity(document, {
    db,
    passwords: hashing,
    tokenTtlSeconds,
    rateLimitPerHour,
    verifyIssued: issued && ((token) => issued(token, audience)),
    clock,
  });
  const modules = await loadHandlerModules(config.handlersDirectory, document.name);
  const storage = await openServiceStorage(db, {
    service: document.name,
    ...modules,
    schemaOf: itemSchemas(document, tools),
    fileUrl: (id) => `${origin}${document.basePath}/files/${id}`,
  });
  const { collections, users, transaction } = storage;
  const loaded = modules.handlers({ ...collections, users, identity, transaction });
  const handlers = new Map(loaded.map(({ operationId, handler }) => [operationId, handler]));
  const handled: HandledDocument = {
    document,
    modules,
    handlers: loaded,
    misfits: storage.misfits,
    mocks: config.mockMissingHandlers,
  };
  const mocked = new Set(mockedOperations(handled));
  const docs = docsRoutes(document, {
    writeJson: jsonCodec.writer(tools.shapeOf({}), 'storage'),
    writeExample: exampleTexts(tools),
    packageFiles: docsFiles,
    origin,
    isMocked: (operation) => mocked.has(operation),
  });
  const { maxBodyBytes, maxUploadBytes, validateResponses, mockMissingHandlers } = config;
  const serviceLog = log.child({ service: document.name });
  const parts = { config, origin, db, checkPassword, securityHandlers, clock };
  const authorization = builtInAuthorizationServer(document, parts);
  const routes = newExpress(config).use(docs, fileRoutes(storage.findFile));
  if (authorization !== undefined) routes.use(oauthRoutes(authorization, serviceLog));
  const service = openApiService(document, {
    handlers,
    securityHandlers,
    tools,
    maxBodyBytes,
    maxUploadBytes,
    validateResponses,
    mocks: mockMissingHandlers,
    log: serviceLog,
    clientOf: clientBehind(config.trustedProxies),
    // Express makes its own of the messages of node:http.
    routes: routes as Routes,
  });
  return {
    basePath: document.basePath,
    service: allowOrigins(document, config.corsOrigins, service),
    authorization,
    name: document.name,
    storage,
    demo: usableDemo(modules.demo, storage),
    handled,
  };
};

/** An Express application as ours are set up, without routes. */
const newExpress = ({ trustedProxies }: Pick<Config, 'trustedProxies'>): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  app.set('trust proxy', trustedProxies);
  return app;
};

/** Builds the application; it does not listen yet. */
export const buildApp = async (parts: AppParts): Promise<App> => {
  const { config, db, log, origin, clock } = parts;
  const { documents, problems } = await loadDocuments(config.specsDirectory, {
    authUrlOf: (basePath) => config.authUrl ?? origin + basePath,
    allowRemote: config.allowRemoteReferences,
    strict: config.strictDocuments,
  });
  const tools = new Map(documents.map((document) => [document.name, schemaContext(document)]));
  const hashing = scryptPasswords(config.passwordCost);
  const issued = config.issuer && (await jwtVerifier({ ...config.issuer, clock, log }));
  const docsFiles = packageFiles();
  const metrics = httpMetrics(parts.metrics);
  const services = await Promise.all(
    documents.map((document) => {
      const documentTools = tools.get(document.name) ?? schemaContext(document);
      return serviceOf(document, documentTools, parts, hashing, docsFiles, issued);
    }),
  );
  const handlerFindings = await reportHandlers(
    config.handlersDirectory,
    services.map(({ handled }) => handled),
  );
  if (config.strictHandlers) requireFittingHandlers(handlerFindings);
  const mocked = new Set(services.flatMap(({ handled }) => mockedOperations(handled)));
  const isMocked = (operation: Operation): boolean => mocked.has(operation);
  const app = newExpress(config);
  app.use(oauthMetadataRoutes(services));
  app.use(operatorRoutes(documents, isMocked, db, metrics));
  app.use(mounts(services.filter(({ basePath }) => basePath === '')));
  app.use(notFound);
  app.use(refuse(log));
  const mounted = mounts(services.filter(({ basePath }) => basePath !== ''));
  const listener = accessLog(log, metrics, isMocked, (request, response) =>
    mounted(request, response, () => app(request, response)),
  );
  return { listener, documents, problems, services, handlerFindings };
};
