/** The surroundings of the applications of a server, which outlast each of them. */

import type { Logger } from 'pino';
import type { ApiDocument } from '../engine';
import type { AppSettings } from '../host/app';
import type { LoadHandlers } from '../host/handler-modules';
import { bodyMemory } from '../http/request';
import { jwtVerifier } from '../identity/jwt/jwt-verifier';
import { metadataUrls } from '../identity/oauth/authorization-server';
import { scryptPasswords } from '../identity/password';
import type { Database } from '../storage/database/database';
import type { Config } from './config/config';
import { isTrustedWay } from './config/config-values';
import { headCheck } from './http/head-check';
import type { OnRefused } from './http/refuse-connection';
import { requestQueue } from './http/request-queue';
import { engineLog } from './observability/log';
import { httpMetrics, type MetricsScope } from './observability/metrics';
import type { Spans } from './observability/spans';
import type { Telemetry } from './observability/telemetry';

/** The options of a server beside its configuration. */
export interface ServerOptions {
  readonly log: Logger;
  /** Gives milliseconds since 1970. */
  readonly clock?: () => number;
  readonly metrics?: MetricsScope;
  /** The origin of its address, where that is known beforehand: then it takes no connection before it can respond. */
  readonly knownOrigin?: string | undefined;
  /** Gives milliseconds that never run backwards, by which the waits of requests are measured. */
  readonly queueClock?: () => number;
  /** Loads the handlers of a document; where this is not given, their modules are loaded once and kept. */
  readonly loadHandlers?: LoadHandlers;
  /** False: jobs of handlers do not run. */
  readonly jobs?: boolean;
  /** The export of its spans and metrics; undefined where nothing is exported. */
  readonly telemetry?: Telemetry | undefined;
}

/** Gives the paths of probes and metrics. */
export const watchPaths = (basePath: string): ReadonlySet<string> =>
  new Set(['/livez', '/readyz', '/metrics'].map((path) => basePath + path));

/** Makes the surroundings as far as they need neither an address nor a database. */
export const processContext = async (config: Config, options: ServerOptions) => {
  const { log, clock = Date.now, queueClock } = options;
  const metrics = httpMetrics(options.metrics ?? 'requests');
  const onRefused: OnRefused = (refused) => {
    log.info(refused, 'Request refused');
    metrics.countRefused(refused.status);
  };
  return {
    ...{ config, clock, log, metrics, onRefused },
    headCheck: headCheck(config.knownHosts, onRefused),
    requestQueue: requestQueue({
      probePaths: watchPaths(config.operatorPath),
      onShed: metrics.countShed,
      watch: metrics.watch,
      clock: queueClock,
    }),
    /** One for the whole process, so that its limits hold for all services together. */
    passwords: scryptPasswords(config.passwordCost),
    bodies: bodyMemory(config.maxBodiesBytes),
    /** Undefined where there is no outside issuer. */
    issued: config.issuer && (await jwtVerifier(config.issuer, log, clock)),
  };
};

/** The surroundings of an application. */
export interface AppContext extends Awaited<ReturnType<typeof processContext>> {
  readonly origin: string;
  readonly db: Database;
  readonly stopping?: AbortSignal | undefined;
  readonly spans?: Spans | undefined;
}

/** Finds another issuer whose metadata the document names; undefined where it names none. */
export const namedIssuer = (document: ApiDocument, origin: string): string | undefined => {
  const url = metadataUrls(document, origin + document.basePath).find(
    ({ href }) => !href.startsWith(`${origin}/`) && isTrustedWay(href),
  );
  // RFC 8414 section 3.1, and OpenID Connect Discovery 1.0 section 4
  const wellKnown = /\/\.well-known\/(oauth-authorization-server|openid-configuration)|\/$/g;
  return url && url.origin + url.pathname.replace(wellKnown, '');
};

/** Gives the settings by which the applications of a server are prepared. */
export const appSettings = (
  config: Config,
  origin: string,
  { log, clock, metrics }: Pick<AppContext, 'log' | 'clock' | 'metrics'>,
  { telemetry, loadHandlers }: Pick<ServerOptions, 'telemetry' | 'loadHandlers'>,
): AppSettings => ({
  ...config,
  ...{ log: engineLog(log), clock, onTurn: metrics.countTurn, traceJob: telemetry?.traceJob },
  sources: [config.specsDirectory],
  loadHandlers,
  handlerVersions: new Map(),
  originOf: () => origin,
  issuesTokens: (document) =>
    config.issuer === undefined && namedIssuer(document, origin) === undefined,
  authUrlOf: (basePath) => config.authUrl ?? origin + basePath,
  operatorPages: [`${config.operatorPath}/`, ...watchPaths(config.operatorPath)],
});
