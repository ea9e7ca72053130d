/** Recognises the error of a database that found a value which must be unique to be in use. */

interface DatabaseError {
  readonly code?: unknown;
  readonly message?: unknown;
}

/** SQLite says it in words behind a general code; PostgreSQL has a code of its own, `unique_violation`. */
export const isUniqueViolation = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message }: DatabaseError = error;
  if (code === '23505') return true;
  return (
    String(code).startsWith('SQLITE_CONSTRAINT') &&
    String(message).includes('UNIQUE constraint failed')
  );
};
