/** Reads the environment once: one frozen Config, or one error that lists every problem. */

import { withoutSecrets } from '../../storage/postgres/connection-url';
import {
  baseUrl,
  boolean,
  databaseUrl,
  httpUrl,
  integer,
  issuerUrl,
  isTrustedWay,
  logLevel,
  nonEmpty,
  oneOf,
  origins,
  pathPrefix,
  pathsByName,
  withoutSlash,
} from './config-values';
import { type Environment, settingsReader } from './settings';

const hidden = (): string => '(set)';

/** The settings that may hold a secret, those of admin commands as well, and how their values are shown. */
const secrets = new Map<string, (text: string) => string>([
  ['DATABASE_URL', (url) => (url.startsWith('sqlite:') ? url : withoutSecrets(url))],
  ['METRICS_TOKEN', hidden],
  ['OTEL_EXPORTER_OTLP_HEADERS', hidden],
  ['AUTH_JWKS_URL', (url) => new URL(url).origin],
  ['USER_PASSWORD', hidden],
  ['COPY_FROM_URL', hidden],
  ['COPY_TO_URL', hidden],
]);

type Reader = ReturnType<typeof settingsReader>;

/** An outside authorization server, or none, and where the documents lead. */
const readIssuer = ({ read, settings, problems }: Reader) => {
  /** Its identifier, exactly as its tokens name it. */
  const issuer = read('AUTH_ISSUER', issuerUrl, undefined);
  const details = {
    /** The address of its keys; undefined: as its metadata says. */
    jwksUrl: read('AUTH_JWKS_URL', httpUrl, undefined),
    /** The audience of its tokens for us; undefined: the URL of the service. */
    audience: read('AUTH_AUDIENCE', nonEmpty, undefined),
    /** Takes tokens that do not say they are access tokens (RFC 9068). */
    untypedTokens: read('AUTH_UNTYPED_TOKENS', boolean, false),
  };
  if (issuer !== undefined && details.jwksUrl === undefined && !isTrustedWay(issuer)) {
    problems.push('AUTH_ISSUER must be an https URL, unless AUTH_JWKS_URL says where its keys are');
  }
  const isGiven = (name: string) => settings.get(name)?.source !== 'default';
  const idle = ['AUTH_JWKS_URL', 'AUTH_AUDIENCE', 'AUTH_UNTYPED_TOKENS'].filter(
    (name) => isGiven(name) && !isGiven('AUTH_ISSUER'),
  );
  problems.push(...idle.map((name) => `${name} needs AUTH_ISSUER`));
  const clientOrigins = read('CLIENT_METADATA_ORIGINS', origins, undefined) ?? [];
  if (clientOrigins.some((origin) => origin !== '*' && !isTrustedWay(origin))) {
    problems.push('CLIENT_METADATA_ORIGINS must be https, unless they are of this machine');
  }
  return {
    /** Origins of documents about OAuth clients without registration, or `*`. */
    clientOrigins,
    /** An issuer whose access tokens are accepted instead of our own; undefined: none. */
    issuer: issuer === undefined ? undefined : { issuer, ...details },
    privateIssuers: read('PRIVATE_ISSUERS', origins, undefined) ?? [],
    /** The URL for `{auth_url}` in the documents; undefined: each service's own base. The issuer by default. */
    authUrl: read('AUTH_URL', baseUrl, issuer && withoutSlash(issuer)),
  };
};

const mebibyte = 1024 * 1024;

const readLimits = ({ read, problems }: Reader, trustedProxies: number) => {
  const maxConnections = read('MAX_CONNECTIONS', integer(1, 1_000_000), 2000);
  // The peers of a server behind proxies are these, so that each may have all connections.
  const share = trustedProxies > 0 ? maxConnections : Math.ceil(maxConnections * 0.75);
  const limits = {
    /** Connections that a process takes at one time; a further one is closed. */
    maxConnections,
    /** The share of them that one address, or /64 of IPv6, may hold. */
    maxConnectionsPerAddress: read('MAX_CONNECTIONS_PER_ADDRESS', integer(1, 1_000_000), share),
    /** Bytes a second that a body must come with, and a response be read with. */
    leastBodySpeed: read('MIN_BODY_BYTES_PER_SECOND', integer(0, 1_000_000_000), 500),
    maxBodyBytes: read('MAX_BODY_BYTES', integer(1024, 1024 * mebibyte), mebibyte),
    maxUploadBytes: read('MAX_UPLOAD_BYTES', integer(1024, 1024 * mebibyte), 10 * mebibyte),
    /** Bytes that all bodies of a process together may hold until they are answered. */
    maxBodiesBytes: read('MAX_BODIES_BYTES', integer(1024, 64 * 1024 * mebibyte), 64 * mebibyte),
    /** Bytes that the files of one item may take together. */
    maxItemFilesBytes: read('MAX_ITEM_FILES_BYTES', integer(4096, mebibyte ** 2), 100 * mebibyte),
    /** Bytes that the files which one user uploads to a service may take together. */
    maxUserFilesBytes: read('MAX_USER_FILES_BYTES', integer(4096, mebibyte ** 2), 1024 * mebibyte),
    maxBodyNames: read('MAX_BODY_NAMES', integer(1, 100_000), 1000),
    rateLimitPerHour: read('RATE_LIMIT_PER_HOUR', integer(1, 1_000_000_000), 5000),
  };
  if (limits.maxBodiesBytes < Math.max(limits.maxBodyBytes, limits.maxUploadBytes)) {
    problems.push('MAX_BODIES_BYTES must not be less than MAX_BODY_BYTES and MAX_UPLOAD_BYTES');
  }
  return limits;
};

/**
 * Reads every setting that the program knows, in the order of the documentation. Where there are problems, the configuration has
 * defaults in their places, and must not be used but to look at.
 *
 * @param handlers - the folder of the handlers where none is set
 */
export const readSettings = (environment: Environment, handlers = 'handlers') => {
  const reader = settingsReader(environment, secrets);
  const { read, problems, settings } = reader;
  const production = read('NODE_ENV', (value) => ({ value }), undefined) === 'production';
  const port = read('PORT', integer(0, 65_535), 8080);
  const host = read('HOST', nonEmpty, '127.0.0.1');
  // Such an address can be reached from this machine alone.
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|::1)$/i.test(host);
  const publicUrl = read('PUBLIC_URL', baseUrl, undefined);
  const publicNames = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  const ownNames = ['localhost', '127.0.0.1', '[::1]', host.toLowerCase(), ...publicNames];
  const trustedProxies = read('TRUSTED_PROXIES', integer(0, 16), 0);
  const config = {
    /** True where NODE_ENV is `production`. */
    production,
    port,
    host,
    /** The origin under which callers reach the program, without a trailing slash; undefined: its own address. */
    publicUrl,
    /** Names that the Host of a request may have; undefined: any. */
    knownHosts: production || trustedProxies > 0 || !isLoopback ? undefined : new Set(ownNames),
    /** The number of proxies in front that are trusted to name the caller's address (Express `trust proxy`). */
    trustedProxies,
    workers: read('WORKERS', integer(1, 64), 1),
    specsDirectory: read('SPECS_DIRECTORY', nonEmpty, 'specs'),
    handlersDirectory: read('HANDLERS_DIRECTORY', nonEmpty, handlers),
    basePaths: read('BASE_PATHS', pathsByName, undefined) ?? new Map<string, string>(),
    /** The path below which the start page, health and metrics are; empty for the root. */
    operatorPath: read('OPERATOR_PATH', pathPrefix, ''),
    /** The bearer token that /metrics requires; undefined: none. */
    metricsToken: read('METRICS_TOKEN', nonEmpty, undefined),
    /** The headers of requests to the receiver of traces and metrics, its key among them; undefined: none. */
    otlpHeaders: read('OTEL_EXPORTER_OTLP_HEADERS', nonEmpty, undefined),
    /** Accepts any credential of the declared kinds in a service without handlers. */
    mockCredentials: read('MOCK_CREDENTIALS', oneOf('any', 'none'), 'any', 'none') === 'any',
    strictDocuments: read('STRICT_DOCUMENTS', boolean, false),
    strictHandlers: read('STRICT_HANDLERS', boolean, false, true),
    allowRemoteReferences: read('ALLOW_REMOTE_REFERENCES', boolean, false),
    /** The folder below which documents may refer to local files; undefined: the one that they are in. */
    referencesDirectory: read('REFERENCES_DIRECTORY', nonEmpty, undefined),
    /** Answers an operation without a handler by a mock made from its document. */
    mockMissingHandlers: read('MOCK_MISSING_HANDLERS', boolean, true, false),
    validateResponses: read('VALIDATE_RESPONSES', boolean, true, false),
    listsInvalid:
      read('MISFITTING_ITEMS', oneOf('leave-out', 'include'), 'leave-out') === 'include',
    mcp: read('MCP', boolean, true, false),
    /** `sqlite:PATH` (PATH relative to the working directory) or `postgres://…`. */
    databaseUrl: read('DATABASE_URL', databaseUrl, 'sqlite:./data/services.sqlite'),
    /** Connections that one process opens to a database server at most. */
    databaseConnections: read('DATABASE_CONNECTIONS', integer(2, 1000), 10),
    /** Fills an empty database with the demo data. */
    demoData: read('DEMO_DATA', boolean, true, false),
    tokenTtlSeconds: read('TOKEN_TTL_SECONDS', integer(1, 31_536_000), 3600),
    minPasswordLength: read('MIN_PASSWORD_LENGTH', integer(0, 128), 0),
    /** Base-2 logarithm of scrypt's cost parameter N (RFC 7914). */
    passwordCost: read('PASSWORD_COST', integer(10, 20), 14),
    /** Origins whose pages may call the services from a browser; `*` alone is every origin. */
    corsOrigins: read('CORS_ORIGINS', origins, undefined) ?? [],
    ...readIssuer(reader),
    logLevel: read('LOG_LEVEL', logLevel, 'info'),
    shutdownSeconds: read('SHUTDOWN_SECONDS', integer(1, 600), 10),
    ...readLimits(reader, trustedProxies),
  };
  if (config.listsInvalid && config.validateResponses) {
    problems.push(
      'MISFITTING_ITEMS=include needs VALIDATE_RESPONSES=false, since lists would be refused',
    );
  }
  return {
    config: Object.freeze({
      ...config,
      /** Variables of the environment that nothing reads, and that look misspelt: a sentence each. */
      misspelt: reader.misspelt(),
    }),
    settings: [...settings.values()],
    fromFiles: reader.fromFiles,
    /** A sentence without a full stop for each variable that cannot be used; undefined: none. */
    problem:
      problems.length === 0
        ? undefined
        : `The environment is invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  };
};

/** The settings of the program, and what is wrong with them. */
export type Settings = ReturnType<typeof readSettings>;

/** The configuration of the program. */
export type Config = Settings['config'];

/**
 * Reads every setting that the program knows.
 * @throws Error listing each variable that cannot be used, one a line.
 */
export const readConfig = (environment: Environment, handlers?: string): Config => {
  const { config, problem } = readSettings(environment, handlers);
  if (problem !== undefined) throw new Error(problem);
  return config;
};
