/** Makes a service of one document: its storage, identity, handlers, documentation and authorization server. */

import type { RequestListener } from 'node:http';
import express, { type Express, type Router } from 'express';
import { recoverFrom } from '../base/recover';
import type { Diagnostic } from '../document/diagnostics/diagnostic';
import {
  type ApiDocument,
  openApiService,
  type SecurityHandlers,
  type ServiceOptions,
  unverifiedSchemes,
} from '../engine';
import { type DemoService, demoCredentials, demoInForce } from '../host/demo-data';
import { mockedOperations } from '../host/handler-report';
import { type PreparedService, servingHandlers } from '../host/prepared-service';
import { connectService } from '../host/service-data';
import { nodeListener, type Routes } from '../http/exchange';
import { HttpError, otherMethodResponse } from '../http/http-error';
import { send } from '../http/send';
import { jwtVerifier, type VerifyJwt } from '../identity/jwt/jwt-verifier';
import type { AuthorizationServer } from '../identity/oauth/authorization-server';
import { builtInAuthorizationServer, metadataUrls } from '../identity/oauth/authorization-server';
import type { Operation } from '../model/operation';
import type { FindFile } from '../storage/collections/attached-files';
import { DatabaseUnavailable } from '../storage/connections/database-errors';
import type { ServiceStorage } from '../storage/storage';
import type { AppContext } from './app-context';
import type { Config } from './config/config';
import { isTrustedWay } from './config/config-values';
import { docsRoutes } from './docs/docs-routes';
import { errorPage } from './docs/error-page';
import { clientBehind } from './http/client-of';
import { engineLog } from './observability/log';
import { oauthRoutes } from './routes/oauth-routes';

type Service = ReturnType<typeof openApiService>;

/** A service that can be mounted, and its authorization server where it has one. */
export interface MountedService extends PreparedService, DemoService {
  readonly basePath: string;
  readonly listener: RequestListener;
  /** Compiles all operations between requests, and reports examples that do not fit where mocks would use them. */
  precompile(signal: AbortSignal, report: (problem: Diagnostic) => void): Promise<void>;
  readonly authorization: AuthorizationServer | undefined;
  readonly storage: ServiceStorage;
  /** The operations that a mock answers. */
  readonly mocked: ReadonlySet<Operation>;
  /** Problems of the document that come from the credentials that are accepted here. */
  readonly problems: readonly Diagnostic[];
}

/** Makes what verifies the tokens of another issuer whose metadata the document names; undefined where it names none. */
const namedIssuer = async (
  document: ApiDocument,
  { config: { privateIssuers }, origin, clock, log }: AppContext,
): Promise<VerifyJwt | undefined> => {
  const url = metadataUrls(document, origin + document.basePath).find(
    ({ href }) => !href.startsWith(`${origin}/`) && isTrustedWay(href),
  );
  // RFC 8414 section 3.1, and OpenID Connect Discovery 1.0 section 4
  const wellKnown = /\/\.well-known\/(oauth-authorization-server|openid-configuration)|\/$/g;
  const issuer = url && url.origin + url.pathname.replace(wellKnown, '');
  if (issuer === undefined) return undefined;
  const source = { issuer, jwksUrl: undefined, untypedTokens: false };
  return jwtVerifier(source, log, clock, privateIssuers);
};

/** Opens what the service stores, and its identity: its users, its credentials, and those of an outside issuer. */
const connect = async (prepared: PreparedService, context: AppContext, isReload: boolean) => {
  const { document } = prepared;
  const { config, origin, log, metrics, issued } = context;
  const service = document.name;
  const verify = issued ?? (await namedIssuer(document, context));
  // The resource that a token is for, unless the issuer calls it otherwise (RFC 8707 section 2).
  const audience = config.issuer?.audience ?? origin + document.basePath;
  return connectService(prepared, {
    ...context,
    isReload,
    verifyIssued: verify && ((token) => verify(token, audience)),
    onDisabled: (username, address) =>
      log.info(
        { service, caller: `user:${username}`, address },
        'A sign-in was refused: the user is disabled',
      ),
    onInvalid: (name) => metrics.unfitItems(service, name),
    onFill: (collection, items) => log.info({ service, collection, items }, 'Filling new indexes'),
  });
};

/** Tells whether the documentation may offer the demo credentials; without its database it does not. */
const offersDemo = async (name: string, { config, db }: AppContext): Promise<boolean> => {
  if (config.production) return false;
  const inForce = demoInForce([{ name }], db).then(({ services }) => services.length > 0);
  return inForce.catch(recoverFrom(DatabaseUnavailable, () => false));
};

/** Raster formats, which browsers show and which cannot carry scripts. */
const inlineTypes = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
]);

/** Makes the route of stored files, `GET /files/ID`: browsers do not run them. Ids are unguessable, and the file of an id never changes. */
const fileRoutes = (findFile: FindFile): Router => {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.all('/files/:id', async (request, response) => {
    const file = await findFile(request.params.id);
    if (file === undefined) throw new HttpError(404, 'route-not-found', 'Not found');
    if (!/^(?:GET|HEAD)$/.test(request.method)) {
      const other = otherMethodResponse(request.method, { Allow: 'GET, HEAD' });
      return void send(request, response, other);
    }
    const inline = inlineTypes.has(file.mediaType);
    send(request, response, {
      status: 200,
      headers: {
        'Content-Type': inline ? file.mediaType : 'application/octet-stream',
        'Content-Disposition': inline ? 'inline' : 'attachment',
        // Browsers show an image in a page of their own making, with styles of its own.
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'Cache-Control': 'private, max-age=31536000, immutable',
        // A cached copy that one origin may read must not be given to another, nor one that none may read to any.
        Vary: 'Origin',
      },
      body: file.bytes,
    });
  });
  return router;
};

/** Loads mocks, which a server that has all handlers does without. */
const loadMocks = () => require('../mock') as typeof import('../mock');

/** Makes the handlers of the operations, and mocks where there are none. */
const handlersOf = (prepared: PreparedService, workers: number) => {
  const handlers = new Map(servingHandlers(prepared));
  if (!prepared.mocks) return { handlers };
  const { document, tools } = prepared;
  // Several workers would each remember something else.
  return loadMocks().openMocks(document, handlers, tools, workers === 1 ? {} : false);
};

/** Opens the service of the document. */
const serviceOf = (
  { document, tools }: PreparedService,
  handlers: Pick<ServiceOptions, 'handlers' | 'answerFirst'>,
  securityHandlers: SecurityHandlers,
  { config, origin, bodies, log, stopping, spans }: AppContext,
): Service => {
  const docs = `${document.basePath}/docs/`;
  return openApiService(document, {
    ...handlers,
    securityHandlers,
    signInUrl: origin + docs,
    tools,
    maxBodyBytes: config.maxBodyBytes,
    maxUploadBytes: config.maxUploadBytes,
    maxBodyNames: config.maxBodyNames,
    bodies,
    validateResponses: config.validateResponses,
    stopping,
    trace: spans?.trace,
    log: engineLog(log.child({ service: document.name })),
    errorPage: errorPage(document.info.title, { address: docs, text: 'Documentation' }),
  });
};

/**
 * Makes a service of what was prepared.
 *
 * @param isReload - whether another application serves meanwhile; see openServiceStorage
 */
export const mountedService = async (
  prepared: PreparedService,
  context: AppContext,
  isReload: boolean,
): Promise<MountedService> => {
  const { document, acceptsAny } = prepared;
  const { config, origin, log } = context;
  const { name, basePath } = document;
  const connected = await connect(prepared, context, isReload);
  const { storage, securityHandlers, checkPassword } = connected;
  const builtIn = acceptsAny ? loadMocks().mockCredentials(document) : securityHandlers;
  const accepted = { ...builtIn, ...prepared.securityHandlers };
  const verifiers = { checkPassword, securityHandlers };
  const authorization = builtInAuthorizationServer(document, { ...context, ...verifiers });
  const mocked: ReadonlySet<Operation> = new Set(mockedOperations(prepared));
  const routes = newExpress(config);
  const handlers = handlersOf(prepared, config.workers);
  const service = serviceOf(prepared, handlers, accepted, context);
  const demo = {
    ...demoCredentials,
    signInBase: `${origin}${basePath}/oauth/`,
    isInForce: () => offersDemo(name, context),
  };
  routes.use(docsRoutes(document, (operation) => mocked.has(operation), demo));
  routes.use(fileRoutes(storage.findFile));
  if (authorization !== undefined) {
    routes.use(oauthRoutes(authorization, log.child({ service: name })));
  }
  return {
    ...prepared,
    name,
    basePath,
    // What no operation has is left to the routes; Express makes its own of the messages of node:http.
    listener: nodeListener(service, {
      clientOf: clientBehind(config.trustedProxies),
      routes: routes as Routes,
    }),
    async precompile(signal, report) {
      await service.precompile(signal);
      if ('checkExamples' in handlers) await handlers.checkExamples(report, signal);
    },
    authorization,
    storage,
    mocked,
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
