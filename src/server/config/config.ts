/** Reads the environment once: one frozen Config, or one error that lists every fault. */

import {
  baseUrl,
  boolean,
  databaseUrl,
  httpUrl,
  integer,
  issuerUrl,
  isTrustedWay,
  type LogLevel,
  logLevel,
  mockCredentials,
  nonEmpty,
  origins,
  type Parse,
  pathPrefix,
  pathsByName,
  withoutSlash,
} from './config-values';

/** How the program is run. */
export interface Config {
  /** TCP port; 0 takes any free one. */
  readonly port: number;
  readonly host: string;
  /** How many processes share the port; 1: this one alone. */
  readonly workers: number;
  /** `sqlite:PATH` (PATH relative to the working directory) or `postgres://…`. */
  readonly databaseUrl: string;
  /** Connections that one process opens to a database server at most. */
  readonly databaseConnections: number;
  /** Folder of the OpenAPI documents. */
  readonly specsDirectory: string;
  /** Where documents are served instead of at the path of their first server URL, by their names. */
  readonly basePaths: ReadonlyMap<string, string>;
  /** Below which path the start page, health and metrics are; empty for the root. */
  readonly operatorPath: string;
  /** Folder of the handlers, a folder NAME of modules for each document. */
  readonly handlersDirectory: string;
  /** Whether an error in a document keeps the program from starting. */
  readonly strictDocuments: boolean;
  /** Whether handlers that do not fit their document, or a document without handlers, keep the program from starting. */
  readonly strictHandlers: boolean;
  /** Whether documents may refer to other servers. */
  readonly allowRemoteReferences: boolean;
  /** Whether a service without handlers accepts any credential of the declared kinds. */
  readonly mockCredentials: boolean;
  /** `NODE_ENV=production`. */
  readonly production: boolean;
  /** Whether an empty database is filled with the demo data. */
  readonly demoData: boolean;
  /** Calls with a bearer token that a user may make in an hour. */
  readonly rateLimitPerHour: number;
  /** Lifetime of a login token. */
  readonly tokenTtlSeconds: number;
  /** What `{auth_url}` in the documents becomes; undefined: each service's own base. The issuer by default. */
  readonly authUrl: string | undefined;
  /** An issuer whose access tokens are accepted instead of our own; undefined: none. */
  readonly issuer: IssuerConfig | undefined;
  /** The origin under which callers reach the program, without a trailing slash; undefined: its own address. */
  readonly publicUrl: string | undefined;
  /** Origins whose pages may call the services from a browser; `*` alone is every origin, none is none. */
  readonly corsOrigins: readonly string[];
  /** How many proxies in front are trusted to name the caller's address (Express `trust proxy`). */
  readonly trustedProxies: number;
  readonly maxBodyBytes: number;
  readonly maxUploadBytes: number;
  readonly logLevel: LogLevel;
  /** Whether each response is checked against its document before it is sent. */
  readonly validateResponses: boolean;
  /** Whether an operation without a handler responds with a mock made from its document. */
  readonly mockMissingHandlers: boolean;
  /** Base-2 logarithm of scrypt's cost parameter N (RFC 7914). */
  readonly passwordCost: number;
  /** How long requests in flight may take to finish after a signal to stop. */
  readonly shutdownSeconds: number;
}

/** An outside authorization server. */
export interface IssuerConfig {
  /** Its identifier, exactly as its tokens name it. */
  readonly issuer: string;
  /** Where its keys are; undefined: as its metadata says. */
  readonly jwksUrl: string | undefined;
  /** The audience of its tokens for us; undefined: the URL of the service. */
  readonly audience: string | undefined;
  /** Whether tokens are taken that do not say they are access tokens (RFC 9068). */
  readonly untypedTokens: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

const mebibyte = 1024 * 1024;

/**
 * Reads every variable of the environment that the program knows.
 * @throws Error listing each variable that cannot be used, one a line.
 */
export const readConfig = (environment: Environment): Config => {
  const faults: string[] = [];
  const read = <Value>(name: string, parse: Parse<Value>, fallback: Value): Value => {
    const text = environment[name];
    if (text === undefined) return fallback;
    const result = parse(text);
    if ('value' in result) return result.value;
    faults.push(`${name} ${result.fault}`);
    return fallback;
  };
  const production = environment['NODE_ENV'] === 'production';
  const readIssuer = (): IssuerConfig | undefined => {
    const issuer = read<string | undefined>('AUTH_ISSUER', issuerUrl, undefined);
    const settings = {
      jwksUrl: read<string | undefined>('AUTH_JWKS_URL', httpUrl, undefined),
      audience: read<string | undefined>('AUTH_AUDIENCE', nonEmpty, undefined),
      untypedTokens: read('AUTH_UNTYPED_TOKENS', boolean, false),
    };
    if (issuer !== undefined) {
      if (settings.jwksUrl === undefined && !isTrustedWay(issuer)) {
        faults.push(
          'AUTH_ISSUER must be an https URL, unless AUTH_JWKS_URL says where its keys are',
        );
      }
      return { issuer, ...settings };
    }
    const idle = ['AUTH_JWKS_URL', 'AUTH_AUDIENCE', 'AUTH_UNTYPED_TOKENS'].filter(
      (name) => environment[name] !== undefined && environment['AUTH_ISSUER'] === undefined,
    );
    faults.push(...idle.map((name) => `${name} means nothing without AUTH_ISSUER`));
    return undefined;
  };
  const issuer = readIssuer();
  const config: Config = {
    port: read('PORT', integer(0, 65_535), 8080),
    host: read('HOST', nonEmpty, '127.0.0.1'),
    workers: read('WORKERS', integer(1, 64), 1),
    databaseUrl: read('DATABASE_URL', databaseUrl, 'sqlite:./data/services.sqlite'),
    databaseConnections: read('DATABASE_CONNECTIONS', integer(2, 1000), 10),
    specsDirectory: read('SPECS_DIRECTORY', nonEmpty, 'specs'),
    basePaths: read<ReadonlyMap<string, string>>('BASE_PATHS', pathsByName, new Map()),
    operatorPath: read('OPERATOR_PATH', pathPrefix, ''),
    handlersDirectory: read('HANDLERS_DIRECTORY', nonEmpty, 'handlers'),
    strictDocuments: read('STRICT_DOCUMENTS', boolean, false),
    strictHandlers: read('STRICT_HANDLERS', boolean, production),
    allowRemoteReferences: read('ALLOW_REMOTE_REFERENCES', boolean, false),
    mockCredentials: read('MOCK_CREDENTIALS', mockCredentials, !production),
    production,
    demoData: read('DEMO_DATA', boolean, !production),
    rateLimitPerHour: read('RATE_LIMIT_PER_HOUR', integer(1, 1_000_000_000), 5000),
    tokenTtlSeconds: read('TOKEN_TTL_SECONDS', integer(1, 31_536_000), 3600),
    authUrl: read<string | undefined>('AUTH_URL', baseUrl, issuer && withoutSlash(issuer.issuer)),
    issuer,
    publicUrl: read<string | undefined>('PUBLIC_URL', baseUrl, undefined),
    corsOrigins: read<readonly string[]>('CORS_ORIGINS', origins, []),
    trustedProxies: read('TRUSTED_PROXIES', integer(0, 16), 0),
    maxBodyBytes: read('MAX_BODY_BYTES', integer(1024, 1024 * mebibyte), mebibyte),
    maxUploadBytes: read('MAX_UPLOAD_BYTES', integer(1024, 1024 * mebibyte), 10 * mebibyte),
    logLevel: read<LogLevel>('LOG_LEVEL', logLevel, 'info'),
    validateResponses: read('VALIDATE_RESPONSES', boolean, !production),
    mockMissingHandlers: read('MOCK_MISSING_HANDLERS', boolean, !production),
    passwordCost: read('PASSWORD_COST', integer(10, 20), 14),
    shutdownSeconds: read('SHUTDOWN_SECONDS', integer(1, 600), 10),
  };
  if (faults.length > 0) {
    throw new Error(`The environment cannot be used:\n${faults.map((f) => `  ${f}`).join('\n')}`);
  }
  return Object.freeze(config);
};
