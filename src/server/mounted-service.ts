/** Makes a service of one document: its storage, identity, handlers, documentation and authorization server. */

import { lazy } from '../base/memoize';
import { recoverFrom } from '../base/recover';
import type { Diagnostic } from '../document/diagnostics/diagnostic';
import { openApiService, type ServiceOptions, unverifiedSchemes } from '../engine';
import { demoCredentials, demoInForce } from '../host/demo-data';
import { mockedOperations } from '../host/handler-report';
import {
  type HandledService,
  type PreparedService,
  servingHandlers,
} from '../host/prepared-service';
import { connectService, type ServiceData } from '../host/service-data';
import { nodeListener } from '../http/exchange';
import { jwtVerifier } from '../identity/jwt/jwt-verifier';
import {
  builtInAuthorizationServer,
  deadFlowAddresses,
} from '../identity/oauth/authorization-server';
import { resourceCheck } from '../identity/resources';
import type { Operation } from '../model/operation';
import { DatabaseUnavailable } from '../storage/connections/database-errors';
import { knexAccounts } from '../storage/identity/users';
import { type AppContext, namedIssuer } from './app-context';
import { errorPage } from './docs/error-page';
import { clientBehind } from './http/client-of';
import { mcpRoutes } from './mcp-routes';
import { engineLog } from './observability/log';
import { allowOrigins } from './routes/allow-origins';
import { resourceMetadata } from './routes/resource-metadata';

/**
 * Opens what the service stores, and its identity: its users, its credentials, and those of an outside issuer.
 *
 * @param isReload - whether another application serves meanwhile; see openServiceStorage
 */
export const mountedData = async (
  prepared: PreparedService,
  context: AppContext,
  isReload: boolean,
): Promise<ServiceData> => {
  const { document } = prepared;
  const { config, origin, log, metrics, clock, issued } = context;
  const service = document.name;
  const issuer = namedIssuer(document, origin);
  const source =
    issuer === undefined ? undefined : { issuer, jwksUrl: undefined, untypedTokens: false };
  const verify =
    issued ?? (source && (await jwtVerifier(source, log, clock, config.privateIssuers)));
  const isForResource = resourceCheck(origin + document.basePath);
  const named = config.issuer?.audience;
  return connectService(prepared, {
    ...context,
    isReload,
    isForResource,
    // The audience is a resource (RFC 8707 section 2), unless the issuer calls it otherwise.
    verifyIssued:
      verify &&
      ((token, request) =>
        verify(token, (audience) =>
          named === undefined ? isForResource(audience, request) : audience === named,
        )),
    onDisabled: (username, address) =>
      log.info(
        { service, caller: `user:${username}`, address },
        'A sign-in was refused: the user is disabled',
      ),
    onInvalid: (name) => metrics.unfitItems(service, name),
    onFill: (collection, items) => log.info({ service, collection, items }, 'Filling new indexes'),
  });
};

/** Makes what says that no user can sign in to a service, as long as that is so; undefined where none has to. */
const signInCheck = (
  { document: { name }, signsUsersIn, acceptsAny }: PreparedService,
  { db }: AppContext,
): ServiceOptions['signInProblem'] => {
  if (!signsUsersIn || acceptsAny) return undefined;
  const accounts = knexAccounts(db, name);
  const command = `npm run admin -- user create --service ${name} --username NAME --password -`;
  let canSignIn = false;
  return async () => {
    if (canSignIn) return undefined;
    // Without its database, a refusal is a refusal.
    const found = await accounts.canAnySignIn().catch(recoverFrom(DatabaseUnavailable, () => null));
    canSignIn = found === true;
    return found === false ? `No user can sign in to ${name} yet: ${command}` : undefined;
  };
};

/** Loads the pages when one is asked for first: with Express they took a tenth of the start. */
export const loadPages = () => require('./pages') as typeof import('./pages');

/** Loads mocks, which a server that has all handlers does without. */
const loadMocks = () => require('../mock') as typeof import('../mock');

const handlersOf = (prepared: HandledService, workers: number) => {
  const handlers = new Map(servingHandlers(prepared));
  if (!prepared.mocks) return { handlers };
  const { document, tools } = prepared;
  // Several workers would each remember something else.
  return loadMocks().openMocks(document, handlers, tools, workers === 1 ? {} : false);
};

const serviceOf = (
  { document, tools }: PreparedService,
  handlers: Pick<ServiceOptions, 'handlers' | 'answerFirst'>,
  security: Pick<ServiceOptions, 'securityHandlers' | 'signInUrl' | 'signInProblem'>,
  { config, bodies, log, stopping, spans }: AppContext,
) => {
  const { maxBodyBytes, maxUploadBytes, maxBodyNames, validateResponses } = config;
  const docs = `${document.basePath}/docs/`;
  return openApiService(document, {
    ...{ ...handlers, ...security, tools, bodies, validateResponses, stopping },
    ...{ maxBodyBytes, maxUploadBytes, maxBodyNames },
    trace: spans?.trace,
    log: engineLog(log.child({ service: document.name })),
    errorPage: errorPage(document.info.title, { address: docs, text: 'Documentation' }),
  });
};

/** Makes a service of one whose handlers are made. */
export const mountedService = (prepared: HandledService<ServiceData>, context: AppContext) => {
  const { document, acceptsAny, data: storage } = prepared;
  const { config, origin, log } = context;
  const { name, basePath } = document;
  const { securityHandlers, checkPassword } = storage;
  const builtIn = acceptsAny ? loadMocks().mockCredentials(document) : securityHandlers;
  const accepted = { ...builtIn, ...prepared.securityHandlers };
  const verifiers = { checkPassword, securityHandlers };
  const authorization =
    prepared.modules.accounts === false
      ? undefined
      : builtInAuthorizationServer(document, { ...context, ...verifiers });
  const mocked: ReadonlySet<Operation> = new Set(mockedOperations(prepared));
  const handlers = handlersOf(prepared, config.workers);
  const signInProblem = signInCheck(prepared, context);
  const security = {
    securityHandlers: accepted,
    signInUrl: `${origin}${basePath}/docs/`,
    ...(signInProblem && { signInProblem }),
  };
  const service = serviceOf(prepared, handlers, security, context);
  const demo = {
    ...demoCredentials,
    signInBase: `${origin}${basePath}/oauth/`,
    isInForce: async () =>
      !config.production &&
      (await demoInForce([{ name }], context.db)
        .then(({ services }) => services.length > 0)
        // Without its database the documentation offers none.
        .catch(recoverFrom(DatabaseUnavailable, () => false))),
  };
  const metadata = config.mcp
    ? resourceMetadata(prepared, {
        origin,
        outside: config.issuer?.issuer ?? namedIssuer(document, origin),
        hasServer: authorization !== undefined,
      })
    : undefined;
  const agents = config.mcp ? mcpRoutes(service, prepared, metadata, context) : undefined;
  const { compileSecurity } = service;
  const crossOrigin = allowOrigins(document, config.corsOrigins);
  const isMocked = (operation: Operation) => mocked.has(operation);
  const pages = lazy(() =>
    loadPages().servicePages(prepared, {
      ...{ config, origin, isMocked, demo, storage, compileSecurity, authorization },
      log: log.child({ service: name }),
    }),
  );
  return {
    ...{ ...prepared, name, basePath },
    listener: crossOrigin(
      // What no operation has is left to the routes; Express makes its own of the messages of node:http.
      nodeListener(service, {
        clientOf: clientBehind(config.trustedProxies),
        routes(request, response, next) {
          if (agents?.(request, response, next) !== true) pages()(request, response, next);
        },
      }),
    ),
    /** Resolves when nothing of its handlers is under way behind responses. */
    settled: () => service.settled(),
    /** Compiles all operations between requests, and reports examples that do not fit where mocks would use them. */
    async precompile(signal: AbortSignal, report: (problem: Diagnostic) => void): Promise<void> {
      await service.precompile(signal);
      if ('checkExamples' in handlers) await handlers.checkExamples(report, signal);
    },
    /** The metadata that agents read; undefined where they are not served, or no server issues tokens for them. */
    resourceMetadata: metadata,
    ...{ authorization, signInProblem, storage, mocked },
    /** Problems of the document that come from the credentials that are accepted here. */
    problems: [
      ...unverifiedSchemes(document, accepted),
      ...deadFlowAddresses(document, origin + basePath, authorization !== undefined),
    ].map(document.locate),
  };
};

/** A service that can be mounted, and its authorization server where it has one. */
export type MountedService = ReturnType<typeof mountedService>;
