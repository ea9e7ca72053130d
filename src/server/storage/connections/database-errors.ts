/** What kind of trouble an error of a database means, whichever driver threw it. */

/**
 * - `conflict`: the transaction was rolled back because of another one; the same again may succeed.
 * - `lost`: the connection is of no use any more; another one may be.
 * - `blocked`: the statement had to wait or to work for too long; other statements may not have to.
 * - `unavailable`: the database cannot do it now: full, too busy, not there.
 */
export type DatabaseErrorKind = 'conflict' | 'lost' | 'blocked' | 'unavailable';

/** The database cannot answer at the moment. `cause` says why; it is for the log, not for callers. */
export class DatabaseUnavailable extends Error {
  /** When it makes sense to ask again. Undefined: not at all without looking first what has become of the change. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, cause: unknown, retryAfterSeconds?: number) {
    super(message, { cause });
    this.name = 'DatabaseUnavailable';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** What is said where nothing was changed. */
export const unavailable = (cause: unknown): DatabaseUnavailable =>
  new DatabaseUnavailable('The database is not available at the moment', cause, 2);

/** What is said where the connection broke while the database was asked to commit. */
export const commitOutcomeUnknown = (cause: unknown): DatabaseUnavailable =>
  new DatabaseUnavailable(
    'The database went away before it confirmed the change: look whether it was made',
    cause,
  );

// SQLite's result codes, and PostgreSQL's SQLSTATEs (Appendix A of its documentation) or the first two characters of their class.
const troubles: Readonly<Record<string, DatabaseErrorKind>> = {
  SQLITE_BUSY: 'unavailable',
  SQLITE_LOCKED: 'unavailable',
  SQLITE_FULL: 'unavailable',
  SQLITE_NOMEM: 'unavailable',
  SQLITE_IOERR: 'lost',
  SQLITE_CANTOPEN: 'lost',
  SQLITE_READONLY: 'lost',
  SQLITE_CORRUPT: 'lost',
  SQLITE_NOTADB: 'lost',
  SQLITE_PROTOCOL: 'lost',
  SQLITE_MISUSE: 'lost',
  '40001': 'conflict', // serialization_failure
  '40P01': 'conflict', // deadlock_detected
  '40003': 'lost', // statement_completion_unknown
  '55P03': 'blocked', // lock_not_available, by lock_timeout
  '57014': 'blocked', // query_canceled, by statement_timeout
  '25006': 'lost', // read_only_sql_transaction: what was the primary is a standby now
  '25P03': 'lost', // idle_in_transaction_session_timeout
  '08': 'lost', // connection_exception
  '28': 'unavailable', // invalid_authorization_specification
  '3D': 'unavailable', // invalid_catalog_name: the database is gone
  '53': 'unavailable', // insufficient_resources: disk_full, too_many_connections
  '57': 'lost', // operator_intervention: shutdown, crash, starting up
  '58': 'unavailable', // system_error: an input or output error
  XX001: 'unavailable', // data_corrupted
  XX002: 'unavailable', // index_corrupted
  FILE_MOVED: 'unavailable', // sqlite-file.ts
  EIO: 'lost',
  ENOSPC: 'unavailable',
  ECONNREFUSED: 'unavailable',
  ECONNRESET: 'lost',
  EPIPE: 'lost',
  ENOENT: 'unavailable',
  ENOTFOUND: 'unavailable',
  EAI_AGAIN: 'unavailable',
  EHOSTUNREACH: 'unavailable',
  ENETUNREACH: 'unavailable',
  ETIMEDOUT: 'lost',
};

/** The PostgreSQL driver's own errors have no code. */
const lostInWords =
  /Connection terminated|connection error and is not queryable|Client was closed|Query read timeout|timeout expired/;

interface CodedError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}

/** Codes may say more than is asked here: SQLITE_IOERR_WRITE, and the SQLSTATEs of a class. */
const troubleOfCode = (code: string): DatabaseErrorKind | undefined => {
  const [general = code] = /^SQLITE_[A-Z]+/.exec(code) ?? [];
  return troubles[general] ?? (code.length === 5 ? troubles[code.slice(0, 2)] : undefined);
};

/** Undefined: no trouble of the database's, but a fault of whoever asked. */
export const classifyError = (error: unknown): DatabaseErrorKind | undefined => {
  if (typeof error !== 'object' || error === null) return undefined;
  const { name, code, message }: CodedError = error;
  // No connection of the pool became free in time.
  if (name === 'KnexTimeoutError') return 'unavailable';
  const trouble = troubleOfCode(String(code));
  return trouble ?? (lostInWords.test(String(message)) ? 'lost' : undefined);
};

/** Whether the connection on which the error arose is of no use any more, whatever was made of the error since. */
export const isConnectionError = (error: unknown): boolean =>
  classifyError(error instanceof DatabaseUnavailable ? error.cause : error) === 'lost';
