/** Describes for operators why a database cannot be opened, and what to do where that is clear. */

const damaged = 'it is damaged or no database, so restore a backup';
const refused = 'the file and its folder must be there for this program to write to';
const full = 'make room on its disk';
const unreachable = 'see that the server runs and can be reached from here';
const credentials = 'correct the user and the password in the URL';

// By error codes of SQLite, the system and PostgreSQL.
const advices: Readonly<Record<string, string>> = {
  SQLITE_CORRUPT: damaged,
  SQLITE_NOTADB: damaged,
  SQLITE_CANTOPEN: refused,
  SQLITE_READONLY: refused,
  EACCES: refused,
  EROFS: refused,
  SQLITE_FULL: full,
  ENOSPC: full,
  SQLITE_BUSY: 'another process has locked it for too long',
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  ETIMEDOUT: unreachable,
  '28000': credentials, // invalid_authorization_specification
  '28P01': credentials, // invalid_password
  '3D000': 'create the database first', // invalid_catalog_name
  '42501': 'its user must be allowed to create tables', // insufficient_privilege
  '53300': 'all connections that the server allows are in use', // too_many_connections
};

/** The driver's own words for a server that does not answer; there is no code. */
const silent = /^timeout expired$/;

/** One driver's errors are no instances of Error. */
const factsOf = (error: unknown): { readonly code: string; readonly message: string } => {
  if (typeof error !== 'object' || error === null) return { code: '', message: String(error) };
  const { code, message }: { readonly code?: unknown; readonly message?: unknown } = error;
  return { code: String(code), message: String(message) };
};

const adviceOf = (error: unknown): string | undefined => {
  const { code, message } = factsOf(error);
  if (silent.test(message)) return unreachable;
  return advices[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code];
};

/** An error of several addresses that all failed has no message of its own. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(reasonOf).join('; ') : factsOf(error).message;

/** One part of a sentence, without its full stop. */
export const connectionErrorHint = (error: unknown): string => {
  const advice = adviceOf(error);
  return advice === undefined ? reasonOf(error) : `${advice}: ${reasonOf(error)}`;
};
