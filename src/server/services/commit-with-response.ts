/** Ties what a request changes to its response. */

import { HttpError, type UnitOfWork } from '../../engine';
import type { Database } from '../storage/database/database';

/** Commits what a request changes when its response is known to be what the document declares, or a failure of the caller's. */
export const commitWithResponse =
  (db: Database): UnitOfWork =>
  async (respond) => {
    const outcome = await db.unitOfWork(async () => {
      try {
        return await respond();
      } catch (error) {
        // What was counted of a refused request, such as a failed sign-in, stays counted.
        if (error instanceof HttpError && error.status < 500) return error;
        throw error;
      }
    });
    if (outcome instanceof HttpError) throw outcome;
    return outcome;
  };
