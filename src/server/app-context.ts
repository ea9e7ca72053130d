/** The surroundings of the applications of a server, which outlast each of them. */

import type { Logger } from 'pino';
import type { AppSettings } from '../host/app';
import type { LoadHandlers } from '../host/handler-modules';
import { bodyMemory } from '../http/request';
import { jwtVerifier } from '../identity/jwt/jwt-verifier';
import { scryptPasswords } from '../identity/password';
import type { Database } from '../storage/database/database';
import type { Config } from './config/config';
import { headCheck } from './http/head-check';
import type { OnRefused } from './http/refuse-connection';
import { requestQueue } from './http/request-queue';
import { httpMetrics, type MetricsOptions } from './observability/metrics';
import type { Spans } from './observability/spans';
import { watchPaths } from './routes/operator-routes';

/** The parts that a process is given. */
interface GivenParts {
  readonly config: Config;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** Makes the surroundings as far as they need neither an address nor a database. */
export const processContext = async (
  { config, clock, log }: GivenParts,
  options: MetricsOptions,
  queueClock?: () => number,
) => {
  const metrics = httpMetrics(options);
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
    /** The bound of all bodies together. */
    bodies: bodyMemory(config.maxBodiesBytes),
    /** Undefined where there is no outside issuer. */
    issued: config.issuer && (await jwtVerifier({ ...config.issuer, clock, log })),
  };
};

/** The surroundings of an application. */
export interface AppContext extends Awaited<ReturnType<typeof processContext>> {
  /** The origin under which callers reach the program. */
  readonly origin: string;
  readonly db: Database;
  /** Aborts when the server stops. */
  readonly stopping?: AbortSignal | undefined;
  /** Makes spans of requests. */
  readonly spans?: Spans | undefined;
}

/** Gives the settings by which the applications of a server are prepared. */
export const appSettings = (
  config: Config,
  origin: string,
  loadHandlers?: LoadHandlers,
): AppSettings => ({
  ...config,
  sources: [config.specsDirectory],
  loadHandlers,
  handlerVersions: new Map(),
  originOf: () => origin,
  authUrlOf: (basePath) => config.authUrl ?? origin + basePath,
  operatorPages: [`${config.operatorPath}/`, ...watchPaths(config.operatorPath)],
});
