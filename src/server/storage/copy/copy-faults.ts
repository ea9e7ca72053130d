/** Says why rows could not be copied. */

import { isNativeError } from 'node:util/types';

/** What is said where the source is not any more what was read from it. */
export const sourceChanged =
  'The source changed while it was copied: stop its servers and copy again';

// SQLite says it in words behind a general code; PostgreSQL has a code of its own, `foreign_key_violation`.
const isForeignKeyViolation = (error: unknown): boolean =>
  isNativeError(error) &&
  (Reflect.get(error, 'code') === '23503' || error.message.includes('FOREIGN KEY constraint'));

/** What befell the database stands behind what its users are told. */
const reasonOf = (error: unknown): string => {
  if (!isNativeError(error)) return String(error);
  return isNativeError(error.cause) ? `${error.message} (${error.cause.message})` : error.message;
};

/** The error to throw where rows could not be added to the table. */
export const addingFailed = (table: string, cause: unknown): Error => {
  // What the source's servers remove or add meanwhile leaves rows without the row that they refer to.
  if (isForeignKeyViolation(cause)) return new Error(`${sourceChanged}.`, { cause });
  return new Error(`The table "${table}" cannot be copied: ${reasonOf(cause)}.`, { cause });
};
