/** The meaning of a database's errors, the same for all drivers. */

import { errorMessage } from '../../base/error-message';
import { errorFacts } from '../sql/dialect';

/**
 * - `conflict`: the transaction was rolled back because of another one; the same again may succeed.
 * - `lost`: the connection cannot be used any more; another one may be.
 * - `blocked`: the statement had to wait or to work for too long; other statements may not have to.
 * - `unavailable`: the database cannot do it now: full, too busy, not there.
 */
export type DatabaseErrorKind = 'conflict' | 'lost' | 'blocked' | 'unavailable';

/** The error of a command that cannot be done: nothing was changed. The message is one sentence for operators. */
export class Refusal extends Error {}

/** The database is not available at the moment. `cause` says why; it is for the log, not for callers. */
export class DatabaseUnavailable extends Error {
  /** The time after which the same request may succeed. Undefined: only after looking whether the change was made. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, cause: unknown, retryAfterSeconds?: number) {
    super(message, { cause });
    this.name = 'DatabaseUnavailable';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Makes the error of a change that was not made. */
export const databaseUnavailable = (cause: unknown): DatabaseUnavailable =>
  new DatabaseUnavailable('The database is not available at the moment', cause, 2);

/** Makes the error of a connection that broke during the commit. */
export const commitOutcomeUnknown = (cause: unknown): DatabaseUnavailable =>
  new DatabaseUnavailable(
    'The database went away before it confirmed the change: check whether it was made',
    cause,
  );

const damaged = 'it is damaged or not a database, so restore a backup';
const refused = 'the file and its folder must be there for this program to write to';
/** SQLite has one code for both causes. */
const unopened = `${refused}, and the limit of open files (ulimit -n) must leave room for it`;
const files = 'raise the limit of open files (ulimit -n)';
const full = 'make room on its disk';
const unreachable = 'see that the server runs and can be reached from here';
const certificate =
  'see that sslrootcert and the host in the URL fit the certificate of the server';
const credentials = 'correct the user and the password in the URL';

// By SQLite's result codes, the system's, and PostgreSQL's SQLSTATEs (Appendix A of its documentation) or the first two characters of
// their class.
const meanings: Readonly<
  Record<string, readonly [kind: DatabaseErrorKind | undefined, advice?: string]>
> = {
  SQLITE_BUSY: ['unavailable', 'another process has locked it for too long'],
  SQLITE_LOCKED: ['unavailable'],
  SQLITE_FULL: ['unavailable', full],
  SQLITE_NOMEM: ['unavailable'],
  SQLITE_IOERR: ['lost'],
  SQLITE_CANTOPEN: ['lost', unopened],
  SQLITE_READONLY: ['lost', refused],
  SQLITE_CORRUPT: ['lost', damaged],
  SQLITE_NOTADB: ['lost', damaged],
  SQLITE_PROTOCOL: ['lost'],
  SQLITE_MISUSE: ['lost'],
  '40001': ['conflict'], // serialization_failure
  '40P01': ['conflict'], // deadlock_detected
  '40003': ['lost'], // statement_completion_unknown
  // object_not_in_prerequisite_state: the database takes no connections
  '55000': ['unavailable'],
  '55P03': ['blocked', 'end the transactions that use its tables, or try again later'], // lock_not_available, by lock_timeout
  '57014': ['blocked'], // query_canceled, by statement_timeout
  '25006': ['lost', 'name the primary, or all hosts and target_session_attrs=read-write'], // read_only_sql_transaction: what was the primary is a standby now
  '25P03': ['lost'], // idle_in_transaction_session_timeout
  '08': ['lost'], // connection_exception
  '28': ['unavailable'], // invalid_authorization_specification
  '3D': ['unavailable'], // invalid_catalog_name: the database was removed
  '53': ['unavailable'], // insufficient_resources: disk_full, too_many_connections
  '57': ['lost'], // operator_intervention: shutdown, crash, starting up
  '58': ['unavailable'], // system_error: an input or output error
  XX001: ['unavailable'], // data_corrupted
  XX002: ['unavailable'], // index_corrupted
  FILE_MOVED: ['unavailable'], // sqlite.ts
  WAITED_TOO_LONG: ['unavailable'], // group-commit.ts, reads.ts
  EIO: ['lost'],
  ENOSPC: ['unavailable', full],
  EMFILE: ['unavailable', files],
  ENFILE: ['unavailable', files],
  ECONNREFUSED: ['unavailable', unreachable],
  ECONNRESET: ['lost', unreachable],
  EPIPE: ['lost'],
  ENOENT: ['unavailable'],
  ENOTFOUND: ['unavailable', unreachable],
  EAI_AGAIN: ['unavailable', unreachable],
  EHOSTUNREACH: ['unavailable', unreachable],
  ENETUNREACH: ['unavailable', unreachable],
  ETIMEDOUT: ['lost', unreachable],
  EACCES: [undefined, refused],
  EROFS: [undefined, refused],
  '28000': ['unavailable', credentials], // invalid_authorization_specification
  '28P01': ['unavailable', credentials], // invalid_password
  '3D000': ['unavailable', 'create the database first'], // invalid_catalog_name
  '42501': [undefined, 'its user must be allowed to create tables'], // insufficient_privilege
  '53300': ['unavailable', 'all connections that the server allows are in use'], // too_many_connections
};

/** Codes of Node.js and OpenSSL for a certificate that is not accepted, or no version of TLS in common. */
const tlsCodes =
  /^(?:CERT|CRL|CA|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|HOSTNAME|INVALID_CA|ERR_TLS|ERR_SSL|ERR_OSSL)_/;

/** Shortens SQLite's codes to those of the table: SQLITE_IOERR_WRITE to SQLITE_IOERR. */
const generalCode = (code: string): string => /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code;

/** Messages of the PostgreSQL driver's own errors, which have no code. */
const lostMessages =
  /Connection terminated|connection error and is not queryable|Client was closed|Query read timeout|timeout expired/;

/** Classifies an error; undefined: it is a failure of the statement, not of the database. */
export const classifyError = (error: unknown): DatabaseErrorKind | undefined => {
  const { code, message } = errorFacts(error);
  if (tlsCodes.test(code)) return 'unavailable';
  const kindOfClass = code.length === 5 ? meanings[code.slice(0, 2)]?.[0] : undefined;
  const kind = meanings[generalCode(code)]?.[0] ?? kindOfClass;
  if (kind !== undefined) return kind;
  // No connection of the pool became free in time.
  if (message === 'timeout exceeded when trying to connect') return 'unavailable';
  return lostMessages.test(message) ? 'lost' : undefined;
};

/** Finds the code of a failure of the database, one of a known set, for counting; undefined for any other error. */
export const databaseFailureCode = (error: unknown): string | undefined => {
  if (error instanceof DatabaseUnavailable) return databaseFailureCode(error.cause);
  const { code } = errorFacts(error);
  // The errors of the driver itself have none.
  const known = code === String(undefined) ? 'connection' : generalCode(code);
  return classifyError(error) && known;
};

/** Checks whether the error means that its connection cannot be used any more. */
export const isConnectionError = (error: unknown): boolean =>
  classifyError(error instanceof DatabaseUnavailable ? error.cause : error) === 'lost';

const adviceFor = (error: unknown): string | undefined => {
  const { code, message } = errorFacts(error);
  // Messages of the driver, PostgreSQL and PgBouncer that have no code of their own.
  if (message === 'timeout expired') return unreachable;
  if (message === 'The server does not support SSL connections') {
    return 'turn TLS on there, or say sslmode=disable';
  }
  if (message.startsWith('unsupported startup parameter')) {
    return 'behind PgBouncer, add pgbouncer=true to the URL';
  }
  if (code === '28000' && /no encryption$|client certificate/.test(message)) {
    return 'it wants another TLS: see sslmode, sslcert and sslkey in the URL';
  }
  const advice = tlsCodes.test(code) ? certificate : meanings[generalCode(code)]?.[1];
  // Of several hosts, the first one's reason is the cause.
  return advice ?? (error instanceof Error && error.cause ? adviceFor(error.cause) : undefined);
};

/** Gives the message; an error of several addresses that all failed has none of its own. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError
    ? error.errors.map(reasonOf).join('; ')
    : errorFacts(error).message;

/**
 * Describes for operators why a database cannot be opened, and what to do where that is clear: one part of a sentence, without
 * its full stop.
 */
export const connectionErrorHint = (error: unknown): string => {
  const advice = adviceFor(error);
  return advice === undefined ? reasonOf(error) : `${advice}: ${reasonOf(error)}`;
};

/** Describes a failure for operators; callers learn only that the database is not available. */
export const operatorMessage = (error: unknown): string =>
  error instanceof DatabaseUnavailable
    ? `${error.message}: ${connectionErrorHint(error.cause)}`
    : errorMessage(error);
