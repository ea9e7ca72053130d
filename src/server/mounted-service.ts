/** Makes a service of one document: its storage, identity, handlers, documentation and authorization server. */

import express, { type Express } from 'express';
import type { Logger } from 'pino';
import {
  type ApiDocument,
  type BodyMemory,
  type Diagnostic,
  type Operation,
  openApiService,
  type Routes,
  schemaContext,
  unverifiedSchemes,
} from '../engine';
import type { FileUrl } from '../storage/collections/attached-files';
import { DatabaseUnavailable } from '../storage/connections/database-errors';
import type { Database } from '../storage/database/database';
import { openServiceStorage } from '../storage/storage';
import type { Config } from './config/config';
import { type DemoService, demoCredentials, demoInForce, fitDemo } from './demo-data';
import { docsRoutes } from './docs/docs-routes';
import { errorPage } from './docs/error-page';
import { clientBehind } from './http/client-of';
import type { Layer } from './http/layer';
import type { OnRefused } from './http/refuse-connection';
import { createIdentity } from './identity/identity';
import type { VerifyJwt } from './identity/jwt/jwt-verifier';
import { mockCredentials } from './identity/mock-credentials';
import type { Passwords } from './identity/password';
import type { AuthorizationServer } from './oauth/authorization-server';
import { engineLog } from './observability/log';
import type { Metrics, MetricsOptions } from './observability/metrics';
import { fileRoutes } from './routes/file-routes';
import type { Mount } from './routes/mounts';
import { oauthRoutes } from './routes/oauth-routes';
import {
  builtInAuthorizationServer,
  documentScopes,
} from './services/built-in-authorization-server';
import {
  type LoadHandlers,
  loadHandlerModules,
  loadHandlersIfPossible,
  makeHandlers,
} from './services/handler-modules';
import { type HandledDocument, mockedOperations } from './services/handler-report';
import { itemSchemas } from './services/item-schemas';
import type { HandlerVersions } from './services/served-version';

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
  /** What all bodies together may hold. */
  readonly bodies: BodyMemory;
  /** Loads the handlers of a document; where this is not given, their modules are loaded once and kept. */
  readonly loadHandlers?: LoadHandlers | undefined;
  /** Resolves to whether all processes that share the port respond; where this is not given, this one is alone. */
  readonly isReady?: (() => Promise<boolean>) | undefined;
}

/** The parts of a server that outlast its applications. */
export interface LastingParts {
  readonly metrics: Metrics;
  readonly onRefused: OnRefused;
  readonly headCheck: Layer;
  readonly requestQueue: Layer;
  /** One for the whole process, so that the bound on hashing is one as well. */
  readonly hashing: Passwords;
  /** Undefined where there is no outside issuer. */
  readonly issued: VerifyJwt | undefined;
  /** The versions of the handlers' files, by document, as they were when they were loaded. */
  readonly handlerVersions: HandlerVersions;
}

/** A service at its place, and its authorization server where it has one. */
export interface MountedService extends Mount, DemoService {
  readonly authorization: AuthorizationServer | undefined;
  readonly handled: HandledDocument;
  /** The operations that a mock answers. */
  readonly mocked: ReadonlySet<Operation>;
  /** See OpenApiService. */
  readonly compileAhead: ReturnType<typeof openApiService>['compileAhead'];
  /** What is wrong with the document as it is served here. */
  readonly problems: readonly Diagnostic[];
}

/** Tells whether the documentation may offer the demo credentials; without its database it does not. */
const offersDemo = async (
  document: ApiDocument,
  { config, db }: Pick<AppParts, 'config' | 'db'>,
): Promise<boolean> => {
  if (config.production) return false;
  try {
    return (await demoInForce([document], db)).services.length > 0;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return false;
    throw error;
  }
};

/**
 * Makes a document, its handlers and its data into a service.
 *
 * @param isBeside whether another application serves meanwhile; see openServiceStorage
 */
export const mountedService = async (
  document: ApiDocument,
  { config, db, log, origin, clock, bodies, loadHandlers = loadHandlerModules }: AppParts,
  { hashing, issued }: LastingParts,
  isBeside = false,
): Promise<MountedService> => {
  const tools = schemaContext(document);
  const { minPasswordLength, tokenTtlSeconds, rateLimitPerHour, validateResponses } = config;
  // The resource that a token is for, unless the issuer calls it otherwise (RFC 8707 section 2).
  const audience = config.issuer?.audience ?? origin + document.basePath;
  const { identity, securityHandlers, checkPassword } = createIdentity(document, {
    db,
    passwords: hashing,
    minPasswordLength,
    tokenTtlSeconds,
    rateLimitPerHour,
    verifyIssued: issued && ((token) => issued(token, audience)),
    clock,
  });
  const modules = await loadHandlersIfPossible(loadHandlers, config, document.name);
  const fileUrl: FileUrl = (id) => `${origin}${document.basePath}/files/${id}`;
  const schemaOf = itemSchemas(document, tools, {
    validateResponses,
    fileUrl,
    listsMisfits: config.listsMisfits,
  });
  const storage = await openServiceStorage(db, {
    service: document.name,
    ...modules,
    schemaOf,
    files: {
      url: fileUrl,
      maxItemBytes: config.maxItemFilesBytes,
      maxOwnerBytes: config.maxUserFilesBytes,
    },
    isBeside,
  });
  const { collections, users, transaction } = storage;
  const dependencies = { ...collections, users, identity, transaction };
  const { handlers: loaded, failure } = makeHandlers(modules, dependencies, config.strictHandlers);
  const handlers = new Map(loaded.map(({ operationId, handler }) => [operationId, handler]));
  // Handlers that fail are not replaced by mocks.
  const mocks = config.mockMissingHandlers && failure === undefined;
  const acceptsAny = config.mockCredentials && mocks && !modules.exist;
  const accepted = acceptsAny
    ? mockCredentials(document, [...documentScopes(document).known.keys()])
    : securityHandlers;
  const { maxBodyBytes, maxUploadBytes, maxBodyNames } = config;
  const serviceLog = log.child({ service: document.name });
  const parts = { config, origin, db, checkPassword, securityHandlers, clock };
  const authorization = builtInAuthorizationServer(document, parts);
  const routes = newExpress(config);
  const service = openApiService(document, {
    handlers,
    securityHandlers: accepted,
    signInUrl: `${origin}${document.basePath}/docs/`,
    tools,
    maxBodyBytes,
    maxUploadBytes,
    maxBodyNames,
    bodies,
    validateResponses,
    mocks,
    log: engineLog(serviceLog),
    clientOf: clientBehind(config.trustedProxies),
    // Express makes its own of the messages of node:http.
    routes: routes as Routes,
    errorPage: errorPage(document.definition.info.title, {
      address: `${document.basePath}/docs/`,
      text: 'Documentation',
    }),
  });
  const { demo, unfit } = config.demoData
    ? fitDemo(modules, schemaOf, storage)
    : { demo: {}, unfit: [] };
  const handled: HandledDocument = {
    document,
    modules,
    handlers: loaded,
    failure,
    misfits: storage.misfits,
    unfitDemo: unfit,
    mocks,
    acceptsAny,
  };
  const mocked: ReadonlySet<Operation> = new Set(mockedOperations(handled));
  const docs = docsRoutes(document, (operation) => mocked.has(operation), {
    ...demoCredentials,
    signInBase: `${origin}${document.basePath}/oauth/`,
    isInForce: () => offersDemo(document, parts),
  });
  routes.use(docs, fileRoutes(storage.findFile));
  if (authorization !== undefined) routes.use(oauthRoutes(authorization, serviceLog));
  return {
    basePath: document.basePath,
    service,
    authorization,
    name: document.name,
    storage,
    demo,
    handled,
    mocked,
    compileAhead: service.compileAhead,
    problems: unverifiedSchemes(document, accepted).map(document.locate),
  };
};

/** An Express application as ours are set up, without routes. */
export const newExpress = ({ trustedProxies }: Pick<Config, 'trustedProxies'>): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  app.set('trust proxy', trustedProxies);
  return app;
};
